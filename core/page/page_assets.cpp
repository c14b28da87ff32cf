// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/page/page_assets.h"

#include <array>

#include "page_files.h"

namespace equipatch {
namespace {

constexpr std::array<std::string_view, 2> kStyles{kFile_uPlot_min_css, kFile_page_css};
constexpr std::array<std::string_view, 7> kScripts{kFile_uPlot_iife_min_js,
                                                   kFile_numbers_js,
                                                   kFile_run_js,
                                                   kFile_charts_js,
                                                   kFile_map_js,
                                                   kFile_inspector_js,
                                                   kFile_page_js};

}  // namespace

const std::string_view kPageTemplate = kFile_page_html;
const std::span<const std::string_view> kPageStyles = kStyles;
const std::span<const std::string_view> kPageScripts = kScripts;
const std::string_view kChartLicence = kFile_LICENSE;

}  // namespace equipatch

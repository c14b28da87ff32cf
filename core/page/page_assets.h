// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

namespace equipatch {

// The files of resources/page as they are, compiled into this library.

/// The document, with the places {{policy}}, {{styles}}, {{data}}, {{licence}} and
/// {{scripts}} in this order.
extern const std::string_view kPageTemplate;
/// In the order of the page; the chart library's first.
extern const std::span<const std::string_view> kPageStyles;
extern const std::span<const std::string_view> kPageScripts;
/// Of the chart library.
extern const std::string_view kChartLicence;
/// docs/glossary.md.
extern const std::string_view kGlossary;

}  // namespace equipatch

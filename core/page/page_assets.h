// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

namespace equipatch {

// The files of resources/page, compiled into this library unchanged.

/// The document, with the places {{policy}}, {{styles}}, {{data}}, {{licence}} and
/// {{scripts}} in this order.
extern const std::string_view kPageTemplate;
/// The style sheets in the order in which the page contains them; the chart library's is
/// the first.
extern const std::span<const std::string_view> kPageStyles;
/// The scripts, likewise.
extern const std::span<const std::string_view> kPageScripts;
/// The chart library's licence.
extern const std::string_view kChartLicence;

}  // namespace equipatch

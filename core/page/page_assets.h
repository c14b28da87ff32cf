// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

namespace equipatch {

// The files of resources/page, compiled into this library unchanged.

/// The HTML document, with the placeholders {{policy}}, {{styles}}, {{data}}, {{licence}}
/// and {{scripts}} in this order.
extern const std::string_view kPageTemplate;
/// In the page's order.
extern const std::span<const std::string_view> kPageStyles;
/// In the page's order.
extern const std::span<const std::string_view> kPageScripts;
extern const std::string_view kChartLicence;

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "trainer/evaluation/examination.h"

namespace equipatch {

/// Tables and samples of an examination, in Markdown.
std::string reportOf(const Examination& examination);

/// `card` with everything between its two marker lines replaced by `report`.
/// @throws Error{BadInput} when the card lacks these lines.
std::string withReport(const std::string& card, const std::string& report);

}  // namespace equipatch

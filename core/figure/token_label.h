// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace equipatch {

/// A token's text as a tick label: `visibleText` without the space before a word, at most
/// 14 characters.
std::string tokenLabel(std::string_view text);

}  // namespace equipatch

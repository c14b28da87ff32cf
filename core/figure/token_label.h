#pragma once

#include <string>
#include <string_view>

namespace equipatch {

/// A token's text as a tick of an axis: as `visibleText` shows it, but without the space
/// before a word, and never longer than about a word.
std::string tokenLabel(std::string_view text);

}  // namespace equipatch

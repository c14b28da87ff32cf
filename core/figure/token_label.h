#pragma once

#include <string>
#include <string_view>

namespace equipatch {

/// A token's text as a tick of an axis: without the space before a word, line breaks and
/// blanks visible, bytes that are no UTF-8 as U+FFFD, and never longer than about a word.
std::string tokenLabel(std::string_view text);

}  // namespace equipatch

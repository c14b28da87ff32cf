#pragma once

#include <string>
#include <string_view>

#include "core/text/token.h"

namespace equipatch {

/// A text with what cannot be seen made visible, on one line: spaces at its ends as "·",
/// line breaks as "↵", tabs as "→", other control characters and bytes that are no UTF-8
/// as "�". How tokens are shown wherever they are shown.
std::string visibleText(std::string_view text);

/// What a token stands for, likewise: its part of the text it was made from, or its piece
/// where it has none.
std::string visibleText(const Token& token, std::string_view text);

}  // namespace equipatch

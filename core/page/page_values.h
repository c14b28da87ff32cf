// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/step_record.h"
#include "core/text/token.h"

namespace equipatch {

// Values of a run as an exported page holds them.

using PageObject = nlohmann::ordered_json;

/// A text from a model or a file, made visible. Characters appear as `visibleCharacter`
/// shows them, invalid bytes as "�". Line breaks and tabs stay.
std::string pageText(std::string_view text);

/// A token of a pass, on one line and never empty: its visible text. The token's number
/// follows a text that has a "�", and replaces an empty text.
std::string pageToken(const std::string& text, TokenId id);
/// The token with which a step continues its run.
std::string pageToken(const StepRecord& step);
/// A token of the prompt. Its line breaks stay, so that the tokens side by side show the
/// prompt's lines. A token without text is shown by its piece, a token that is a part
/// of a character by its bytes.
std::string pageToken(const Token& token, std::string_view prompt);

/// A number rounded to seven significant digits; NaN is null, an infinity the text
/// "Infinity" or "-Infinity".
PageObject pageNumber(double value);
PageObject pageNumbers(const std::vector<double>& values);

/// The object as the text of a <script type="application/json">. "<", ">", "&" and the
/// separators of lines and paragraphs are escaped, so that nothing in it ends the element
/// or begins another one.
std::string scriptJson(const PageObject& object);

}  // namespace equipatch

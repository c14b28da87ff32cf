// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/step_record.h"
#include "core/text/token.h"

namespace equipatch {

// Texts and numbers in the form in which an exported page contains them.

using PageObject = nlohmann::ordered_json;

/// An untrusted text with its characters as `visibleCharacter` shows them, except line
/// feeds and tabs, which stay. Invalid bytes become "�".
std::string pageText(std::string_view text);

/// The `visibleText` of a token that a pass chose. The token's id follows a text that
/// contains "�", and replaces an empty text.
std::string pageToken(const std::string& text, TokenId id);
/// The token with which a step continues its run.
std::string pageToken(const StepRecord& step);
/// The `pageText` of a token of the prompt; if the token begins or ends within a
/// character, its `visibleText`. A token without text in the prompt appears as its piece,
/// or as its id if the piece is empty.
std::string pageToken(const Token& token, std::string_view prompt);

/// A number rounded to seven significant digits. NaN becomes null, an infinity becomes
/// the text "Infinity" or "-Infinity".
PageObject pageNumber(double value);
PageObject pageNumbers(const std::vector<double>& values);

/// The object as JSON for a <script type="application/json">. "<", ">", "&", U+2028 and
/// U+2029 are escaped, so that no text in the object can end the element.
std::string scriptJson(const PageObject& object);

}  // namespace equipatch

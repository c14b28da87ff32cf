// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/page/page_values.h"

#include <charconv>
#include <cmath>

#include "core/base/number_format.h"
#include "core/base/strings.h"
#include "core/record/context_effect.h"
#include "core/text/visible_text.h"

namespace equipatch {
namespace {

constexpr int kDigits = 7;

std::string orNumber(const std::string& visible, TokenId id) {
  return visible.empty() ? "#" + std::to_string(id.value) : pageText(visible);
}

}  // namespace

std::string pageText(std::string_view text) {
  const std::string valid = replaceInvalidUtf8(text);
  std::string result;
  result.reserve(valid.size());
  for (std::size_t at = 0; at < valid.size();) {
    const std::string_view character =
        std::string_view(valid).substr(at, utf8Length(valid[at]));
    const bool isLayout = character == "\n" || character == "\t";
    result += isLayout ? std::string(character) : visibleCharacter(character);
    at += character.size();
  }
  return result;
}

std::string pageToken(const std::string& text, TokenId id) {
  const std::string shown = orNumber(visibleText(text), id);
  const bool unclear = shown.find("\uFFFD") != std::string::npos;
  return unclear ? shown + " #" + std::to_string(id.value) : shown;
}

std::string pageToken(const StepRecord& step) {
  return pageToken(continuedBytes(step), step.continued);
}

std::string pageToken(const Token& token, std::string_view prompt) {
  const ByteSpan& span = token.span;
  const bool hasText = span.begin < span.end && span.end <= prompt.size();
  if (!hasText) return orNumber(visibleText(token, prompt), token.id);
  const std::string_view own = prompt.substr(span.begin, span.end - span.begin);
  // visibleText shows the bytes of an incomplete character.
  return firstInvalidUtf8(own) == std::string_view::npos ? pageText(own)
                                                         : visibleText(own);
}

PageObject pageNumber(double value) {
  if (std::isnan(value)) return nullptr;
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  const std::string text = shortText(value, kDigits);
  double rounded = value;
  std::from_chars(text.data(), text.data() + text.size(), rounded);
  return rounded;
}

PageObject pageNumbers(const std::vector<double>& values) {
  PageObject list = PageObject::array();
  for (const double value : values) list.push_back(pageNumber(value));
  return list;
}

std::string scriptJson(const PageObject& object) {
  const std::string json =
      object.dump(-1, ' ', false, PageObject::error_handler_t::replace);
  std::string text;
  text.reserve(json.size() + json.size() / 64);
  constexpr std::string_view kSeparators = "\xE2\x80";  // begins U+2028 and U+2029
  for (std::size_t at = 0; at < json.size(); ++at) {
    const char letter = json[at];
    const bool separates = json.compare(at, 2, kSeparators) == 0 &&
                           at + 2 < json.size() &&
                           (json[at + 2] == '\xA8' || json[at + 2] == '\xA9');
    if (separates) {
      text += json[at + 2] == '\xA8' ? "\\u2028" : "\\u2029";
      at += 2;
    } else if (letter == '<') {
      text += "\\u003c";
    } else if (letter == '>') {
      text += "\\u003e";
    } else if (letter == '&') {
      text += "\\u0026";
    } else {
      text += letter;
    }
  }
  return text;
}

}  // namespace equipatch

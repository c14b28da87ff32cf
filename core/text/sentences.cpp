// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/sentences.h"

#include <unicode/ubrk.h>
#include <unicode/utext.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <utility>

#include "core/base/error.h"
#include "core/base/strings.h"

namespace equipatch {
namespace {

struct Close {
  void operator()(UBreakIterator* iterator) const { ubrk_close(iterator); }
  void operator()(UText* text) const { utext_close(text); }
};

void require(UErrorCode status) {
  if (U_FAILURE(status))
    throw Error(
        ErrorKind::Resource,
        std::string("ICU cannot divide a text into sentences: ") + u_errorName(status));
}

constexpr std::string_view kImagePlace = "<start_of_image>";

/// Replaces each byte of an image placeholder by a line break: a sentence ends there, and
/// byte positions stay the same.
std::string withoutImagePlaces(std::string_view text) {
  std::string result(text);
  for (std::size_t at = 0; (at = result.find(kImagePlace, at)) != std::string::npos;)
    result.replace(at, kImagePlace.size(), kImagePlace.size(), '\n');
  return result;
}

ByteSpan trimmedSpan(std::string_view text, ByteSpan span) {
  constexpr std::string_view kSpaces = " \t\r\n\f\v";
  const std::string_view part = text.substr(span.begin, span.end - span.begin);
  const std::size_t first = part.find_first_not_of(kSpaces);
  if (first == std::string_view::npos) return {span.begin, span.begin};
  return {span.begin + first, span.begin + part.find_last_not_of(kSpaces) + 1};
}

/// True if the word at `begin` stands alone, outside other words and tokens of a template
/// such as <|user|> or [/INST].
bool isWordAt(std::size_t begin, std::size_t size, std::string_view text) {
  const auto continues = [](unsigned char sign) {
    return std::isalnum(sign) != 0 || sign == '_';
  };
  constexpr std::string_view kBeginTokens = "<|[/";
  const std::size_t end = begin + size;
  return (begin == 0 || (!continues(text[begin - 1]) &&
                         kBeginTokens.find(text[begin - 1]) == std::string_view::npos)) &&
         (end == text.size() || !continues(text[end]));
}

bool isWord(std::string_view text) {
  return std::ranges::all_of(text,
                             [](unsigned char sign) { return std::isalpha(sign) != 0; });
}

/// As text.find(part, from), but a part of one word must stand alone in the text: "image"
/// is not found in <end_of_image>.
std::size_t placeOfPart(std::string_view part, std::string_view text, std::size_t from) {
  std::size_t at = text.find(part, from);
  while (isWord(part) && at != std::string_view::npos && !isWordAt(at, part.size(), text))
    at = text.find(part, at + 1);
  return at;
}

/// The last place where the word stands alone. If the text's last "model" or "assistant"
/// stands alone, the template may have written it as the role after the message.
/// Therefore the place before this role is preferred, if there is one.
std::size_t placeOfWord(std::string_view word, std::string_view text) {
  bool skipsRole = word == "model" || word == "assistant";
  std::size_t place = std::string_view::npos;
  for (std::size_t at = text.rfind(word); at != std::string_view::npos;
       at = at == 0 ? std::string_view::npos : text.rfind(word, at - 1)) {
    if (!isWordAt(at, word.size(), text)) {
      skipsRole = false;
      continue;
    }
    place = at;
    if (!std::exchange(skipsRole, false)) break;
  }
  return place;
}

}  // namespace

std::vector<ByteSpan> sentencesOf(std::string_view text) {
  requireTokenizable(text);
  const std::string plain = withoutImagePlaces(text);
  UErrorCode status = U_ZERO_ERROR;
  // "ss=standard": abbreviations do not end sentences.
  const std::unique_ptr<UBreakIterator, Close> breaks(
      ubrk_open(UBRK_SENTENCE, "en@ss=standard", nullptr, 0, &status));
  const std::unique_ptr<UText, Close> utf8(
      utext_openUTF8(nullptr, plain.data(), std::ssize(plain), &status));
  require(status);
  ubrk_setUText(breaks.get(), utf8.get(), &status);
  require(status);
  std::vector<ByteSpan> sentences;
  std::size_t begin = 0;
  for (std::int32_t end = ubrk_next(breaks.get()); end != UBRK_DONE;
       end = ubrk_next(breaks.get())) {
    const ByteSpan span = trimmedSpan(plain, {begin, static_cast<std::size_t>(end)});
    if (!span.empty()) sentences.push_back(span);
    begin = static_cast<std::size_t>(end);
  }
  return sentences;
}

std::size_t placeOfMessage(std::string_view message, std::string_view text) {
  if (const std::size_t image = message.find(kImagePlace);
      image != std::string_view::npos)
    return text.rfind(trimmed(message.substr(0, image)), text.find(kImagePlace));
  const std::string own = trimmed(message);
  return isWord(own) ? placeOfWord(own, text) : text.rfind(own);
}

std::size_t placeInMessage(std::string_view words, std::string_view message,
                           std::string_view text) {
  const std::size_t at = message.find(words);
  const std::size_t image = message.rfind(kImagePlace, at);
  const std::size_t begin =
      image == std::string_view::npos ? 0 : image + kImagePlace.size();
  const std::size_t end = std::min(message.find(kImagePlace, at), message.size());
  const std::string part = trimmed(message.substr(begin, std::max(begin, end) - begin));
  const std::size_t inPart = part.find(words);
  const std::size_t place = placeOfPart(part, text, placeOfMessage(message, text));
  const bool isFound = inPart != std::string::npos && place != std::string_view::npos;
  return isFound ? place + inPart : std::string_view::npos;
}

std::vector<ByteSpan> sentencesIn(std::string_view message, std::string_view text) {
  std::vector<ByteSpan> sentences = sentencesOf(message);
  const std::size_t whole = placeOfMessage(message, text);
  std::size_t from = whole == std::string_view::npos ? 0 : whole;
  for (ByteSpan& sentence : sentences) {
    const std::string_view words =
        message.substr(sentence.begin, sentence.end - sentence.begin);
    const std::size_t begin = placeOfPart(words, text, from);
    sentence = begin == std::string_view::npos ? ByteSpan{}
                                               : ByteSpan{begin, begin + words.size()};
    if (!sentence.empty()) from = sentence.end;
  }
  return sentences;
}

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/normalizer.h"

#include <unicode/bytestream.h>
#include <unicode/edits.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/uniset.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/error.h"
#include "core/text/pipeline/byte_level.h"

namespace equipatch {

namespace {

void requireSuccess(UErrorCode code, const char* what) {
  if (U_FAILURE(code))
    throw Error(ErrorKind::Resource,
                std::string(what) + " failed in ICU with " + u_errorName(code));
}

bool isAscii(std::string_view text) {
  return std::none_of(text.begin(), text.end(), [](char c) { return (c & 0x80) != 0; });
}

const icu::Normalizer2& instanceOf(NormalForm form) {
  UErrorCode code = U_ZERO_ERROR;
  const icu::Normalizer2* instance = nullptr;
  switch (form) {
    case NormalForm::Nfc:
      instance = icu::Normalizer2::getNFCInstance(code);
      break;
    case NormalForm::Nfd:
      instance = icu::Normalizer2::getNFDInstance(code);
      break;
    case NormalForm::Nfkc:
      instance = icu::Normalizer2::getNFKCInstance(code);
      break;
    case NormalForm::Nfkd:
      instance = icu::Normalizer2::getNFKDInstance(code);
      break;
  }
  requireSuccess(code, "opening a normal form");
  return *instance;
}

/// Hugging Face's tokenizers use the normal forms of Unicode 9, which neither change nor
/// reorder characters of later versions.
const icu::UnicodeSet& unicode9Characters() {
  static const icu::UnicodeSet known = [] {
    UErrorCode code = U_ZERO_ERROR;
    icu::UnicodeSet set(u"[:age=9.0:]", code);
    requireSuccess(code, "listing the characters of Unicode 9");
    set.freeze();
    return set;
  }();
  return known;
}

class UnicodeForm : public Normalizer {
 public:
  explicit UnicodeForm(NormalForm form)
      : m_form(instanceOf(form), unicode9Characters()),
        m_decomposition(instanceOf(form == NormalForm::Nfkc || form == NormalForm::Nfkd
                                       ? NormalForm::Nfkd
                                       : NormalForm::Nfd)) {}

  AlignedText normalize(const AlignedText& text) const override {
    if (isAscii(text.text())) return text;
    TextRewriter rewriter(text);
    bool changes = false;
    for (std::size_t begin = 0; begin < text.text().size();) {
      const std::size_t end = endOfPart(text.text(), begin);
      text.limits().requireTime();
      changes = rewrite(rewriter, {begin, end}, text.text()) || changes;
      begin = end;
    }
    return changes ? rewriter.finish() : text;
  }

 private:
  /// The first offset, at least kPart after `begin`, where a cut does not change the
  /// text's normal form; the text's end if there is none.
  std::size_t endOfPart(std::string_view text, std::size_t begin) const {
    constexpr std::size_t kPart = std::size_t{1} << 16;
    std::size_t marks = 0;  // in a row
    for (std::size_t at = begin; at < text.size();) {
      const std::size_t start = at;
      UChar32 character = 0;
      U8_NEXT_UNSAFE(text.data(), at, character);
      // Not by the combining class: U+0F73 has class 0 but decomposes into marks.
      const bool endsMarks = m_decomposition.hasBoundaryBefore(character);
      marks = endsMarks ? 0 : marks + 1;
      if (marks > kMostMarks) throw tooManyMarks();
      if (endsMarks && start >= begin + kPart && m_form.hasBoundaryBefore(character))
        return start;
    }
    return text.size();
  }

  /// ICU sorts the marks of one character in quadratic time.
  static constexpr std::size_t kMostMarks = 4096;
  static Error tooManyMarks() {
    return Error(ErrorKind::Resource,
                 "the text has more than " + std::to_string(kMostMarks) +
                     " accents in a row, the limit of normalization; remove some");
  }

  /// @returns whether the normal form differs from `part`.
  bool rewrite(TextRewriter& rewriter, ByteSpan part, std::string_view text) const {
    const icu::StringPiece source(text.data() + part.begin,
                                  static_cast<std::int32_t>(part.end - part.begin));
    UErrorCode code = U_ZERO_ERROR;
    std::string result;
    icu::StringByteSink<std::string> sink(&result, source.length());
    icu::Edits edits;
    m_form.normalizeUTF8(0, source, sink, &edits, code);
    requireSuccess(code, "normalizing the text");
    for (auto edit = edits.getFineChangesIterator(); edit.next(code);) {
      rewriter.keep(part.begin + static_cast<std::size_t>(edit.sourceIndex()) -
                    rewriter.position());
      rewriter.replace(static_cast<std::size_t>(edit.oldLength()),
                       std::string_view(result).substr(
                           static_cast<std::size_t>(edit.destinationIndex()),
                           static_cast<std::size_t>(edit.newLength())));
    }
    requireSuccess(code, "reading the changes of a normalization");
    rewriter.keep(part.end - rewriter.position());
    return edits.hasChanges();
  }

  icu::FilteredNormalizer2 m_form;
  const icu::Normalizer2& m_decomposition;  ///< the first step of m_form
};

class Strip : public Normalizer {
 public:
  explicit Strip(TextEnd end) : m_end(end) {}

  AlignedText normalize(const AlignedText& text) const override {
    const std::size_t size = text.text().size();
    TextRewriter rewriter(text);
    if (m_end == TextEnd::Left) {
      rewriter.replace(leadingSpace(text.text()), "");
    } else {
      const std::size_t removed = trailingSpace(text.text());
      rewriter.keep(size - removed);
      rewriter.replace(removed, "");
    }
    return rewriter.finish();
  }

 private:
  static std::size_t leadingSpace(std::string_view text) {
    std::size_t end = 0;
    for (std::size_t at = 0; at < text.size(); end = at) {
      UChar32 character = 0;
      U8_NEXT_UNSAFE(text.data(), at, character);
      if (!u_isUWhiteSpace(character)) break;
    }
    return end;
  }

  static std::size_t trailingSpace(std::string_view text) {
    std::size_t begin = text.size();
    for (std::size_t at = text.size(); at > 0; begin = at) {
      UChar32 character = 0;
      U8_PREV_UNSAFE(text.data(), at, character);
      if (!u_isUWhiteSpace(character)) break;
    }
    return text.size() - begin;
  }

  TextEnd m_end;
};

}  // namespace

std::shared_ptr<const Normalizer> unicodeNormalizer(NormalForm form) {
  return std::make_shared<UnicodeForm>(form);
}

std::shared_ptr<const Normalizer> stripNormalizer(TextEnd end) {
  return std::make_shared<Strip>(end);
}

namespace {

std::string utf8Of(UChar32 character) {
  std::string result(U8_MAX_LENGTH, '\0');
  std::size_t length = 0;
  U8_APPEND_UNSAFE(result.data(), length, character);
  result.resize(length);
  return result;
}

class ByCharacter : public Normalizer {
 public:
  using Rule = std::function<std::string(UChar32)>;
  explicit ByCharacter(Rule rule) : m_rule(std::move(rule)) {}

  AlignedText normalize(const AlignedText& text) const override {
    TextRewriter rewriter(text);
    const std::string& bytes = text.text();
    for (std::size_t at = 0; at < bytes.size();) {
      UChar32 character = 0;
      const std::size_t start = at;
      U8_NEXT_UNSAFE(bytes.data(), at, character);
      const std::string result = m_rule(character);
      if (bytes.compare(start, at - start, result) == 0)
        rewriter.keep(at - start);
      else
        rewriter.replace(at - start, result);
    }
    return rewriter.finish();
  }

 private:
  Rule m_rule;
};

std::shared_ptr<const Normalizer> byCharacter(ByCharacter::Rule rule) {
  return std::make_shared<ByCharacter>(std::move(rule));
}

/// Language-independent lower case. Only U+0130 becomes two characters.
std::string lowered(UChar32 character) {
  constexpr UChar32 kCapitalIWithDot = 0x130;
  if (character == kCapitalIWithDot) return "i\u0307";
  return utf8Of(u_tolower(character));
}

/// "" for a mark, otherwise the character. As in Hugging Face, the marks are those of
/// Unicode 9, including spacing marks.
std::string withoutAccent(UChar32 character) {
  constexpr unsigned kVersion = 9;
  UVersionInfo age{};
  u_charAge(character, age);
  const bool isMark = (U_GET_GC_MASK(character) & U_GC_M_MASK) != 0 && age[0] <= kVersion;
  return isMark ? std::string() : utf8Of(character);
}

/// The rule of SentencePiece's "nmt" forms.
std::string nmtNormalized(UChar32 c) {
  const bool isControl = (c >= 0x01 && c <= 0x08) || c == 0x0B ||
                         (c >= 0x0E && c <= 0x1F) || c == 0x7F || c == 0x8F || c == 0x9F;
  if (isControl) return {};
  const bool isSpace = c == 0x09 || c == 0x0A || c == 0x0C || c == 0x0D || c == 0x1680 ||
                       (c >= 0x200B && c <= 0x200F) || c == 0x2028 || c == 0x2029 ||
                       c == 0x2581 || c == 0xFEFF || c == 0xFFFD;
  return isSpace ? " " : utf8Of(c);
}

class ByteLevel : public Normalizer {
 public:
  AlignedText normalize(const AlignedText& text) const override {
    TextRewriter rewriter(text);
    for (const char byte : text.text())
      rewriter.replace(1, byteLevelCharacter(static_cast<unsigned char>(byte)));
    return rewriter.finish();
  }
};

}  // namespace

std::shared_ptr<const Normalizer> lowercaseNormalizer() {
  return byCharacter(lowered);
}

std::shared_ptr<const Normalizer> stripAccentsNormalizer() {
  return byCharacter(withoutAccent);
}

std::shared_ptr<const Normalizer> nmtNormalizer() {
  return byCharacter(nmtNormalized);
}

std::shared_ptr<const Normalizer> byteLevelNormalizer() {
  return std::make_shared<ByteLevel>();
}

}  // namespace equipatch

#include "core/text/unicode_normalizer.h"

#include <unicode/bytestream.h>
#include <unicode/edits.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/uniset.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <string_view>

#include "core/base/error.h"

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

/// Hugging Face's tokenizers have the normal forms of Unicode 9; younger characters stay
/// as they are, and marks among them where they are.
const icu::UnicodeSet& charactersOfHuggingFace() {
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
      : m_form(instanceOf(form), charactersOfHuggingFace()) {}

  AlignedText normalize(const AlignedText& text) const override {
    // ASCII is in every normal form.
    if (isAscii(text.text())) return text;
    const icu::StringPiece source(text.text().data(),
                                  static_cast<std::int32_t>(text.text().size()));
    UErrorCode code = U_ZERO_ERROR;
    std::string result;
    icu::StringByteSink<std::string> sink(&result, source.length());
    icu::Edits edits;
    m_form.normalizeUTF8(0, source, sink, &edits, code);
    requireSuccess(code, "normalizing the text");
    return edits.hasChanges() ? rewrite(text, result, edits) : text;
  }

 private:
  static AlignedText rewrite(const AlignedText& text, std::string_view result,
                             const icu::Edits& edits) {
    TextRewriter rewriter(text);
    UErrorCode code = U_ZERO_ERROR;
    for (auto edit = edits.getFineChangesIterator(); edit.next(code);) {
      rewriter.keep(static_cast<std::size_t>(edit.sourceIndex()) - rewriter.position());
      rewriter.replace(static_cast<std::size_t>(edit.oldLength()),
                       result.substr(static_cast<std::size_t>(edit.destinationIndex()),
                                     static_cast<std::size_t>(edit.newLength())));
    }
    requireSuccess(code, "reading the changes of a normalization");
    return rewriter.finish();
  }

  icu::FilteredNormalizer2 m_form;
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

}  // namespace equipatch

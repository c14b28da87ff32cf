#include "core/text/character_normalizer.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <functional>
#include <string>
#include <utility>

#include "core/text/byte_level.h"

namespace equipatch {
namespace {

std::string utf8Of(UChar32 character) {
  std::string result(U8_MAX_LENGTH, '\0');
  std::size_t length = 0;
  U8_APPEND_UNSAFE(result.data(), length, character);
  result.resize(length);
  return result;
}

/// Replaces each character by itself.
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

/// U+0130 is the one character whose lower case is two characters in every language.
std::string lowered(UChar32 character) {
  constexpr UChar32 kCapitalIWithDot = 0x130;
  if (character == kCapitalIWithDot) return "i\u0307";
  return utf8Of(u_tolower(character));
}

/// Every mark that Unicode 9 has, whether it takes room of its own or not: what Hugging
/// Face's tokenizers call an accent.
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

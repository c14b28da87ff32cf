#include "core/text/character_normalizer.h"

#include "tests/core/text/text_helpers.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;
using Sizes = std::vector<std::size_t>;

class tst_character_normalizer : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void lowersEveryCharacterByItself();
  void removesAccents();
  void replacesWhiteSpace();
  void writesBytesAsCharacters();
};

namespace {

std::string applied(const Normalizer& normalizer, const std::string& text) {
  return normalizer.normalize(AlignedText(text)).text();
}

}  // namespace

void tst_character_normalizer::lowersEveryCharacterByItself() {
  const auto lower = lowercaseNormalizer();
  QCOMPARE(applied(*lower, "ABC ÄÖ ΣΑΣ"), std::string("abc äö σασ"));  // no final sigma
  QCOMPARE(applied(*lower, "İ"), std::string("i\u0307"));
  QCOMPARE(applied(*lower, "ß ǅ"), std::string("ß ǆ"));
}

void tst_character_normalizer::removesAccents() {
  const auto strip = stripAccentsNormalizer();
  QCOMPARE(applied(*strip, "e\u0301a\u0323\u0301é"), std::string("eaé"));
  QCOMPARE(originsOf(strip->normalize(AlignedText("e\u0301a"))), (Sizes{0, 1, 4}));
  QCOMPARE(applied(*strip, "\u0915\u093F\u0940"), std::string("\u0915"));
  // Younger than the tables of the reference.
  QCOMPARE(applied(*strip, "a\u089D"), std::string("a\u089D"));
}

void tst_character_normalizer::replacesWhiteSpace() {
  const auto nmt = nmtNormalizer();
  QCOMPARE(applied(*nmt,
                   "a\x01\x7F\x0B"
                   "b"),
           std::string("ab"));
  QCOMPARE(applied(*nmt, "a\tb\nc\u200Bd\uFEFF▁"), std::string("a b c d  "));
  QCOMPARE(applied(*nmt, "a\u00A0\u3000"), std::string("a\u00A0\u3000"));
}

void tst_character_normalizer::writesBytesAsCharacters() {
  const AlignedText text = byteLevelNormalizer()->normalize(AlignedText(" é"));
  QCOMPARE(text.text(), std::string("ĠÃ©"));
  QCOMPARE(text.origin(2), std::size_t{1});
  QCOMPARE(text.origin(text.text().size()), std::size_t{3});
}

EQUIPATCH_TEST(tst_character_normalizer)
#include "tst_character_normalizer.moc"

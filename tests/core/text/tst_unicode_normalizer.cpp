// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/normalizer.h"

#include "tests/core/text/text_helpers.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

using Origins = std::vector<std::size_t>;

class tst_unicode_normalizer : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void composesAccentedLetters();
  void decomposesAccentedLetters();
  void leavesNormalTextUnchanged();
  void agreesWithQt_data();
  void agreesWithQt();
  void normalizesLongTextsInParts_data();
  void normalizesLongTextsInParts();
  void refusesManyAccents();
  void leavesNewerUnicodeCharactersUnchanged();
  void stripsOneEnd();
  void lowercasesWithoutContext();
  void removesAccents();
  void replacesWhiteSpace();
  void writesBytesAsCharacters();
};

namespace {

AlignedText applied(const std::shared_ptr<const Normalizer>& normalizer,
                    const char* text) {
  return normalizer->normalize(AlignedText(text));
}

}  // namespace

void tst_unicode_normalizer::composesAccentedLetters() {
  const AlignedText result = applied(unicodeNormalizer(NormalForm::Nfc), "xe\u0301y");
  QCOMPARE(result.text(), std::string("xéy"));
  QCOMPARE(originsOf(result), (Origins{0, 1, 2, 4, 5}));
}

void tst_unicode_normalizer::decomposesAccentedLetters() {
  const AlignedText result = applied(unicodeNormalizer(NormalForm::Nfd), "xéy");
  QCOMPARE(result.text(), std::string("xe\u0301y"));
  // The first character gets all bytes of "é".
  QCOMPARE(originsOf(result), (Origins{0, 1, 3, 3, 3, 4}));
}

void tst_unicode_normalizer::leavesNormalTextUnchanged() {
  for (const char* text : {"", "plain", "é 日本 🤗"})
    QCOMPARE(applied(unicodeNormalizer(NormalForm::Nfc), text).text(), std::string(text));
}

void tst_unicode_normalizer::agreesWithQt_data() {
  QTest::addColumn<int>("form");
  QTest::newRow("NFC") << 0;
  QTest::newRow("NFD") << 1;
  QTest::newRow("NFKC") << 2;
  QTest::newRow("NFKD") << 3;
}

/// Qt's normal forms come from independent tables.
void tst_unicode_normalizer::agreesWithQt() {
  QFETCH(int, form);
  constexpr NormalForm kForms[] = {NormalForm::Nfc, NormalForm::Nfd, NormalForm::Nfkc,
                                   NormalForm::Nfkd};
  constexpr QString::NormalizationForm kQtForms[] = {
      QString::NormalizationForm_C, QString::NormalizationForm_D,
      QString::NormalizationForm_KC, QString::NormalizationForm_KD};
  const auto normalizer = unicodeNormalizer(kForms[form]);
  for (const char* text :
       {"A\u030A\u0323", "\u1E9B\u0323", "한글 \u1112\u1161\u11ab", "\uFDFA", "½ Ⅷ",
        "a\u0327\u0301\u0301b", "x\u0344", "\u2126 \u212B"}) {
    const QString expected = QString::fromUtf8(text).normalized(kQtForms[form]);
    const AlignedText result = applied(normalizer, text);
    QCOMPARE(QString::fromStdString(result.text()), expected);
    const Origins origins = originsOf(result);
    QVERIFY(std::is_sorted(origins.begin(), origins.end()));
    QCOMPARE(origins.front(), std::size_t{0});
    QCOMPARE(origins.back(), std::string(text).size());
  }
}

void tst_unicode_normalizer::normalizesLongTextsInParts_data() {
  QTest::addColumn<int>("form");
  QTest::addColumn<QString>("unit");
  QTest::addColumn<QString>("expected");
  const auto row = [](const char* name, NormalForm form, const char* unit,
                      const char* expected) {
    QTest::newRow(name) << int(form) << QString::fromUtf8(unit)
                        << QString::fromUtf8(expected);
  };
  row("composed", NormalForm::Nfc, "e\u0301", "é");
  row("decomposed", NormalForm::Nfd, "ệ", "e\u0323\u0302");
  row("in order", NormalForm::Nfd, "a\u0301\u0323", "a\u0323\u0301");
  row("syllables", NormalForm::Nfkc, "\u1112\u1161\u11ab", "한");
  // Unicode 13 added U+1FBF0. Hugging Face's tables are older and leave it unchanged.
  row("later characters", NormalForm::Nfkc, "\U0001fbf0日ﬁ", "\U0001fbf0日fi");
}

void tst_unicode_normalizer::normalizesLongTextsInParts() {
  QFETCH(int, form);
  QFETCH(QString, unit);
  QFETCH(QString, expected);
  constexpr int kCount = 100'000;
  const std::string text = unit.repeated(kCount).toStdString();
  const AlignedText result =
      unicodeNormalizer(NormalForm(form))->normalize(AlignedText(text));
  QVERIFY(result.text() == expected.repeated(kCount).toStdString());
  const std::size_t size = expected.toUtf8().size();
  for (std::size_t i = 0; i <= kCount; ++i)
    QCOMPARE(result.origin(i * size), i * unit.toUtf8().size());
}

/// Sorting the accents of one character takes quadratic time, so their number is limited.
void tst_unicode_normalizer::refusesManyAccents() {
  std::string text = "a";
  for (int i = 0; i < 2000; ++i) text += "\u0301\u0323";
  const auto normalizer = unicodeNormalizer(NormalForm::Nfc);
  QVERIFY(normalizer->normalize(AlignedText(text)).text().size() > 7000);
  QVERIFY_ERROR(normalizer->normalize(AlignedText(text + text.substr(1))), "4096",
                "in a row");
  // These characters have combining class 0 and decompose into marks.
  const auto repeated = [](const char* unit) {
    return "a" + QString::fromUtf8(unit).repeated(4097).toStdString();
  };
  QVERIFY_ERROR(normalizer->normalize(AlignedText(repeated("\u0F73"))), "4096");
  const auto compatible = unicodeNormalizer(NormalForm::Nfkc);
  QVERIFY_ERROR(compatible->normalize(AlignedText(repeated("\u0301\uFF9E"))), "4096");
  const std::string halfwidth = repeated("\uFF9E");
  QCOMPARE(normalizer->normalize(AlignedText(halfwidth)).text(), halfwidth);
}

void tst_unicode_normalizer::leavesNewerUnicodeCharactersUnchanged() {
  QCOMPARE(applied(unicodeNormalizer(NormalForm::Nfkc), "\U0001FBF7\uFB01").text(),
           std::string("\U0001FBF7"
                       "fi"));
}

void tst_unicode_normalizer::stripsOneEnd() {
  QCOMPARE(applied(stripNormalizer(TextEnd::Left), "\u00A0 a ").text(),
           std::string("a "));
  QCOMPARE(applied(stripNormalizer(TextEnd::Right), " a\u2003\n").text(),
           std::string(" a"));
  QCOMPARE(applied(stripNormalizer(TextEnd::Right), "").text(), std::string());
}

namespace {

std::string applied(const Normalizer& normalizer, const std::string& text) {
  return normalizer.normalize(AlignedText(text)).text();
}

}  // namespace

void tst_unicode_normalizer::lowercasesWithoutContext() {
  const auto lower = lowercaseNormalizer();
  QCOMPARE(applied(*lower, "ABC ÄÖ ΣΑΣ"), std::string("abc äö σασ"));  // no final sigma
  QCOMPARE(applied(*lower, "İ"), std::string("i\u0307"));
  QCOMPARE(applied(*lower, "ß ǅ"), std::string("ß ǆ"));
}

void tst_unicode_normalizer::removesAccents() {
  const auto strip = stripAccentsNormalizer();
  QCOMPARE(applied(*strip, "e\u0301a\u0323\u0301é"), std::string("eaé"));
  QCOMPARE(originsOf(strip->normalize(AlignedText("e\u0301a"))), (Origins{0, 1, 4}));
  QCOMPARE(applied(*strip, "\u0915\u093F\u0940"), std::string("\u0915"));
  // This accent is newer than Hugging Face's tables.
  QCOMPARE(applied(*strip, "a\u089D"), std::string("a\u089D"));
}

void tst_unicode_normalizer::replacesWhiteSpace() {
  const auto nmt = nmtNormalizer();
  QCOMPARE(applied(*nmt,
                   "a\x01\x7F\x0B"
                   "b"),
           std::string("ab"));
  QCOMPARE(applied(*nmt, "a\tb\nc\u200Bd\uFEFF▁"), std::string("a b c d  "));
  QCOMPARE(applied(*nmt, "a\u00A0\u3000"), std::string("a\u00A0\u3000"));
}

void tst_unicode_normalizer::writesBytesAsCharacters() {
  const AlignedText text = byteLevelNormalizer()->normalize(AlignedText(" é"));
  QCOMPARE(text.text(), std::string("ĠÃ©"));
  QCOMPARE(text.origin(2), std::size_t{1});
  QCOMPARE(text.origin(text.text().size()), std::size_t{3});
}

EQUIPATCH_TEST(tst_unicode_normalizer)
#include "tst_unicode_normalizer.moc"

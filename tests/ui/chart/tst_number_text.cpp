// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "tests/support/test_case.h"
#include "ui/chart/number_text.h"

using namespace equipatch;

class tst_number_text : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void writesNumbers_data();
  void writesNumbers();
  void writesPercents();
  void writesPowers();
  void writesCounts();
  void writesTicksAndMessages();
  void wordsWithoutATranslationStay();
  void onlyPlainFirstWordsAreCapitalized_data();
  void onlyPlainFirstWordsAreCapitalized();
};

void tst_number_text::onlyPlainFirstWordsAreCapitalized_data() {
  QTest::addColumn<QString>("sentence");
  QTest::addColumn<QString>("shown");
  const auto stays = [](const char* sentence) {
    QTest::newRow(sentence) << QString::fromUtf8(sentence) << QString::fromUtf8(sentence);
  };
  QTest::newRow("empty") << QString() << QString();
  QTest::newRow("words") << QStringLiteral("there is no model a")
                         << QStringLiteral("There is no model a");
  QTest::newRow("genitive") << QStringLiteral("layer's norm is missing")
                            << QStringLiteral("Layer's norm is missing");
  for (const char* sentence :
       {"The file is gone.", "rate: expected 1", "config.json has no key",
        "float16 is refused", "gemma-3 needs 2 GB", "--step: 9", "/a/b is gone",
        "embed_tokens is missing", "été reste"})
    stays(sentence);
}

void tst_number_text::onlyPlainFirstWordsAreCapitalized() {
  QFETCH(QString, sentence);
  QFETCH(QString, shown);
  QCOMPARE(sentenceText(sentence), shown);
}

void tst_number_text::wordsWithoutATranslationStay() {
  QCOMPARE(equipatch::tr("words"), QStringLiteral("words"));
}

void tst_number_text::writesNumbers_data() {
  QTest::addColumn<double>("value");
  QTest::addColumn<QString>("text");
  QTest::newRow("zero") << 0.0 << QStringLiteral("0");
  QTest::newRow("plain") << 1.23456 << QStringLiteral("1.23");
  QTest::newRow("large") << 12345.6 << QStringLiteral("12346");
  QTest::newRow("huge") << 1.5e9 << QStringLiteral("1.50×10⁹");
  QTest::newRow("small") << 0.00123 << QStringLiteral("0.00123");
  QTest::newRow("tiny") << 1.239e-5 << QStringLiteral("1.24×10⁻⁵");
  QTest::newRow("tinier") << 3e-12 << QStringLiteral("3.00×10⁻¹²");
  QTest::newRow("negative") << -0.5 << QStringLiteral("−0.5");
  QTest::newRow("infinite") << double(INFINITY) << QStringLiteral("∞");
  QTest::newRow("nan") << double(NAN) << QStringLiteral("NaN");
}

void tst_number_text::writesNumbers() {
  QFETCH(double, value);
  QFETCH(QString, text);
  QCOMPARE(numberText(value), text);
}

void tst_number_text::writesPercents() {
  QCOMPARE(percentText(0.931), QStringLiteral("93.1 %"));
  QCOMPARE(percentText(0.0), QStringLiteral("0.0 %"));
  QCOMPARE(percentText(1e-7), QStringLiteral("<0.1 %"));
  QCOMPARE(percentText(1.0), QStringLiteral("100.0 %"));
  QCOMPARE(percentText(0.99996), QStringLiteral(">99.9 %"));
  QCOMPARE(percentText(NAN), QStringLiteral("–"));
  QCOMPARE(shortPercentText(NAN), QStringLiteral("–"));
  QCOMPARE(shortPercentText(1.0), QStringLiteral("100"));
  QCOMPARE(shortPercentText(0.9993), QStringLiteral("99.9"));
  QCOMPARE(shortPercentText(0.99996), QStringLiteral(">99.9"));
  QCOMPARE(shortPercentText(0.931), QStringLiteral("93"));
  QCOMPARE(shortPercentText(0.0957), QStringLiteral("9.6"));
  QCOMPARE(shortPercentText(0.0996), QStringLiteral("10"));
  QCOMPARE(shortPercentText(1e-9), QStringLiteral("<0.1"));
}

void tst_number_text::writesPowers() {
  QCOMPARE(powerText(0), QStringLiteral("1"));
  QCOMPARE(powerText(1), QStringLiteral("10"));
  QCOMPARE(powerText(-12), QStringLiteral("10⁻¹²"));
}

void tst_number_text::writesCounts() {
  QCOMPARE(countText(1, QStringLiteral("token")), QStringLiteral("1 token"));
  QCOMPARE(countText(0, QStringLiteral("token")), QStringLiteral("0 tokens"));
  QCOMPARE(countText(12345, QStringLiteral("step")), QStringLiteral("12,345 steps"));
  QCOMPARE(countText(2, QStringLiteral("mismatch")), QStringLiteral("2 mismatches"));
}

void tst_number_text::writesTicksAndMessages() {
  QCOMPARE(tickText(5e-6), QStringLiteral("5×10⁻⁶"));
  QCOMPARE(messageText("equal within 3e-05"), QStringLiteral("equal within 3×10⁻⁵"));
}

EQUIPATCH_TEST(tst_number_text)
#include "tst_number_text.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/number_format.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_number_format : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void bytesHaveAtMostThreeDigits_data();
  void bytesHaveAtMostThreeDigits();
  void countsHaveMetricPrefixesWithoutUnit();
  void durationsHaveAtMostTwoUnits_data();
  void durationsHaveAtMostTwoUnits();
  void plainTextEqualsPrintf();
  void exactTextReadsBack();
  void nanHasNoSign();
  void notationDependsOnTheMagnitude_data();
  void notationDependsOnTheMagnitude();
  void moreDigitsTellValuesApart();
  void mantissasOfTicksHaveNoTrailingZeros();
  void powersOfTenAreSuperscripts();
  void messagesGetTypographicExponents();
};

void tst_number_format::bytesHaveAtMostThreeDigits_data() {
  QTest::addColumn<qint64>("bytes");
  QTest::addColumn<QString>("text");
  QTest::newRow("0") << qint64(0) << "0 B";
  QTest::newRow("small") << qint64(999) << "999 B";
  QTest::newRow("k") << qint64(1000) << "1.00 kB";
  QTest::newRow("rounds up") << qint64(999'600) << "1.00 MB";
  QTest::newRow("10") << qint64(9'999'000'000) << "10.0 GB";
  QTest::newRow("G") << qint64(1'999'000'000) << "2.00 GB";
  QTest::newRow("100") << qint64(99'960'000'000) << "100 GB";
  QTest::newRow("most") << std::numeric_limits<qint64>::max() << "9.22 EB";
}

void tst_number_format::bytesHaveAtMostThreeDigits() {
  QFETCH(qint64, bytes);
  QFETCH(QString, text);
  QCOMPARE(QString::fromStdString(bytesText(bytes)), text);
}

void tst_number_format::countsHaveMetricPrefixesWithoutUnit() {
  QCOMPARE(metricText(0), std::string("0"));
  QCOMPARE(metricText(512), std::string("512"));
  QCOMPARE(metricText(260'032), std::string("260 k"));
  QCOMPARE(metricText(1'235'000'000), std::string("1.24 G"));
}

void tst_number_format::durationsHaveAtMostTwoUnits_data() {
  QTest::addColumn<int>("count");
  QTest::addColumn<QString>("text");
  QTest::newRow("s") << 59 << "59 s";
  QTest::newRow("min") << 61 << "1 min";
  QTest::newRow("h") << 2 * 3600 << "2 h";
  QTest::newRow("h min") << 3 * 3600 + 20 * 60 + 5 << "3 h 20 min";
  QTest::newRow("d h") << 53 * 3600 << "2 d 5 h";
}

void tst_number_format::durationsHaveAtMostTwoUnits() {
  QFETCH(int, count);
  QFETCH(QString, text);
  QCOMPARE(QString::fromStdString(durationText(std::chrono::seconds(count))), text);
}

void tst_number_format::plainTextEqualsPrintf() {
  for (const double value : {0.0, 1.25e-5, -0.000123456, 1.0, 0.5, 99.96, 123456.7, -2e9,
                             1e300, std::numeric_limits<double>::infinity()}) {
    for (const int digits : {1, 2, 3, 6}) {
      const auto printf = [&](const char* format) {
        std::array<char, 512> text{};
        std::snprintf(text.data(), text.size(), format, digits, value);
        return std::string(text.data());
      };
      QCOMPARE(shortText(value, digits), printf("%.*g"));
      QCOMPARE(fixedText(value, digits), printf("%.*f"));
      QCOMPARE(scientificText(value, digits), printf("%.*e"));
    }
  }
}

void tst_number_format::exactTextReadsBack() {
  QCOMPARE(exactText(0.1), std::string("0.1"));
  QCOMPARE(exactText(1e-7), std::string("1e-07"));
  QCOMPARE(exactText(0.1F), std::string("0.1"));
  // QCOMPARE is approximate.
  QVERIFY(QByteArray::fromStdString(exactText(1.0 / 3.0)).toDouble() == 1.0 / 3.0);
}

void tst_number_format::nanHasNoSign() {
  const double negative = std::copysign(std::numeric_limits<double>::quiet_NaN(), -1.0);
  for (const std::string& text :
       {shortText(negative, 3), fixedText(negative, 2), scientificText(negative, 2),
        exactText(negative), exactText(static_cast<float>(negative))})
    QCOMPARE(text, std::string("nan"));
}

void tst_number_format::notationDependsOnTheMagnitude_data() {
  QTest::addColumn<double>("value");
  QTest::addColumn<QString>("text");
  QTest::newRow("zero") << 0.0 << QStringLiteral("0");
  QTest::newRow("plain") << 1.23456 << QStringLiteral("1.23");
  QTest::newRow("three digits") << 999.4 << QStringLiteral("999");
  QTest::newRow("rounds up") << 999.7 << QStringLiteral("1000");
  QTest::newRow("large") << 12345.6 << QStringLiteral("12346");
  QTest::newRow("huge") << 1.5e9 << QStringLiteral("1.50×10⁹");
  QTest::newRow("small") << 0.00123 << QStringLiteral("0.00123");
  QTest::newRow("tiny") << 1.239e-5 << QStringLiteral("1.24×10⁻⁵");
  QTest::newRow("tinier") << 3e-12 << QStringLiteral("3.00×10⁻¹²");
  QTest::newRow("negative") << -0.5 << QStringLiteral("−0.5");
  QTest::newRow("infinite") << double(INFINITY) << QStringLiteral("∞");
  QTest::newRow("nan") << double(NAN) << QStringLiteral("NaN");
}

void tst_number_format::notationDependsOnTheMagnitude() {
  QFETCH(double, value);
  QFETCH(QString, text);
  QCOMPARE(QString::fromStdString(typographicText(value)), text);
}

void tst_number_format::moreDigitsTellValuesApart() {
  const auto texts = [](double a, double b) {
    const int digits = distinctDigits(a, b);
    return QString::fromStdString(typographicText(a, digits) + ' ' +
                                  typographicText(b, digits));
  };
  QCOMPARE(texts(0.25, 0.5), QStringLiteral("0.25 0.5"));
  QCOMPARE(texts(0.99984, 0.99997), QStringLiteral("0.9998 1"));
  QCOMPARE(texts(0.999994, 0.999996), QStringLiteral("0.99999 1"));
  QCOMPARE(texts(1234.51, 1234.62), QStringLiteral("1234.5 1234.6"));
  QCOMPARE(texts(1.2341e-7, 1.2347e-7), QStringLiteral("1.234×10⁻⁷ 1.235×10⁻⁷"));
  QCOMPARE(distinctDigits(1.0, 1.0), 3);
  QVERIFY(distinctDigits(1.0, std::nextafter(1.0, 2.0)) == 17);
}

void tst_number_format::mantissasOfTicksHaveNoTrailingZeros() {
  QCOMPARE(typographicTick(5e-6), std::string("5×10⁻⁶"));
  QCOMPARE(typographicTick(2.5e-7), std::string("2.5×10⁻⁷"));
  QCOMPARE(typographicTick(-2e10), std::string("−2×10¹⁰"));
  QCOMPARE(typographicTick(1000), std::string("1000"));
}

void tst_number_format::powersOfTenAreSuperscripts() {
  QCOMPARE(powerOfTenText(0), std::string("1"));
  QCOMPARE(powerOfTenText(1), std::string("10"));
  QCOMPARE(powerOfTenText(-12), std::string("10⁻¹²"));
}

void tst_number_format::messagesGetTypographicExponents() {
  QCOMPARE(withTypographicExponents("L∞ 1.2e-05, noise floor 3e+06; 7"),
           std::string("L∞ 1.2×10⁻⁵, noise floor 3×10⁶; 7"));
  QCOMPARE(withTypographicExponents("8e-4x and 1e-05b"), std::string("8e-4x and 1e-05b"));
}

EQUIPATCH_TEST(tst_number_format)
#include "tst_number_format.moc"

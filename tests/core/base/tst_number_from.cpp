// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/number_from.h"

#include <bit>
#include <cmath>
#include <random>

#include "core/base/number_format.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_number_from : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void readsBackRandomDoubles();
  void textsThatAreNoNumbersAreRefused_data();
  void textsThatAreNoNumbersAreRefused();
  void numbersBeyondTheTypeAreRefused();
};

void tst_number_from::readsBackRandomDoubles() {
  std::mt19937_64 random(7);
  for (int i = 0; i < 10'000; ++i) {
    const auto value = std::bit_cast<double>(random());
    if (std::isnan(value)) continue;
    QCOMPARE(numberFrom<double>(exactText(value)), value);
  }
}

void tst_number_from::textsThatAreNoNumbersAreRefused_data() {
  QTest::addColumn<std::string>("text");
  for (const char* text : {"", " ", " 1", "1 ", "+1", "1,5", "1.5.", "1e", "0x1", "one"})
    QTest::newRow(text) << std::string(text);
}

void tst_number_from::textsThatAreNoNumbersAreRefused() {
  QFETCH(const std::string, text);
  QVERIFY(!numberFrom<double>(text));
  QVERIFY(!numberFrom<std::int64_t>(text));
}

void tst_number_from::numbersBeyondTheTypeAreRefused() {
  QCOMPARE(numberFrom<std::int64_t>("-9223372036854775808"),
           std::numeric_limits<std::int64_t>::min());
  QVERIFY(!numberFrom<std::int64_t>("9223372036854775808"));
  QVERIFY(!numberFrom<std::uint64_t>("-1"));
  QVERIFY(!numberFrom<double>("1e999"));
}

EQUIPATCH_TEST(tst_number_from)
#include "tst_number_from.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/number_ranges.h"

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_number_ranges : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void readsNumbersAndRangesInOrder() {
    const auto ranges = parseNumberRanges("7,0-5,10,10-10");
    QVERIFY(ranges);
    std::string text;
    for (const auto& [first, last] : *ranges)
      text += std::to_string(first) + " to " + std::to_string(last) + "; ";
    QCOMPARE(text, std::string("7 to 7; 0 to 5; 10 to 10; 10 to 10; "));
  }

  void numbersAreWrittenAsRanges() {
    QCOMPARE(numberRangesText({0, 1, 2, 3, 7}), std::string("0–3,7"));
    QCOMPARE(numberRangesText({5}), std::string("5"));
    QCOMPARE(numberRangesText({}), std::string());
  }

  void malformedRangesAreRefused() {
    for (const char* text :
         {"", ",", "1,", ",1", "-1", "1-", "1--2", "5-3", "1 ", " 1", "+1", "1,,2",
          "1-2-3", "all", "0x1", "100000", "0-100000", "99999999999999999999"})
      QVERIFY2(!parseNumberRanges(text), text);
    QVERIFY(parseNumberRanges("99999"));
  }

  void errorSuggestsTheReversedRange() {
    QCOMPARE(backwardsText("7-03", {7, 3}), std::string("7-03 run backwards; write 3-7"));
  }

  void theFirstBackwardRangeIsFound() {
    const auto range = backwardRange("1-3,5-3,9-8");
    QVERIFY(range);
    QCOMPARE(range->first, 5);
    QCOMPARE(range->last, 3);
    for (const char* text : {"1-3", "5-3,", "all"}) QVERIFY2(!backwardRange(text), text);
  }
};

EQUIPATCH_TEST(tst_number_ranges)
#include "tst_number_ranges.moc"

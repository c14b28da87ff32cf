// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/statistics.h"

#include <cmath>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_statistics : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void sortedNumbersOmitNan() {
    QCOMPARE(sortedNumbers({3.0, NAN, 1.0}), (std::vector<double>{1.0, 3.0}));
  }

  void whiskersAreAt5And95Percent() {
    std::vector<double> values{NAN};
    for (int i = 0; i <= 100; ++i) values.push_back(double(i));
    const FigureBox box = boxOf(values);
    QCOMPARE(box.low, 5.0);
    QCOMPARE(box.lowerQuartile, 25.0);
    QCOMPARE(box.high, 95.0);
    QCOMPARE(box.outliers.size(), std::size_t{10});
    QCOMPARE(box.count, std::int64_t{101});
    QCOMPARE(box.smallest(), 0.0);
    QCOMPARE(box.largest(), 100.0);
    QVERIFY(std::isnan(boxOf({NAN}).median));
  }

  void aShareBelowOneIsNotShownAs100Percent() {
    QCOMPARE(shareText({3, 4}), std::string("75.0 %"));
    QCOMPARE(shareText({4, 4}), std::string("100 %"));
    QCOMPARE(shareText({3999, 4000}), std::string("99.975 %"));
    QCOMPARE(shareText({999'999, 1'000'000}), std::string("99.9999 %"));
    QCOMPARE(shareText({999'999'999, 1'000'000'000}), std::string("99.9999999 %"));
  }

  void equalTextsNameThePassUnlessPatched() {
    QCOMPARE(equalText({3, 4}), std::string("75.0 % equal"));
    QCOMPARE(equalText({3, 4, "bare"}), std::string("75.0 % equal, bare"));
    QCOMPARE(equalText({}), std::string());
  }
};

EQUIPATCH_TEST(tst_statistics)
#include "tst_statistics.moc"

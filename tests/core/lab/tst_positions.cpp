// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/lab/lab_run.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_positions : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void outputsOfAllTokensAndBlocksAreRestored();
  void alignmentsAreSymmetricCosines();
};

void tst_positions::outputsOfAllTokensAndBlocksAreRestored() {
  const LabResult result = test::runLab("positions", test::tiny());
  QCOMPARE(test::panelProblem(result), std::string());
  QVERIFY(test::scalar(result, "largest difference at any position of any block") <
          1e-11);
  const LabPanel& panel = test::panel(result, "Difference of the outputs by position");
  QCOMPARE(panel.curves.size(), 3u);
  QCOMPARE(panel.curves[0].x.size(), 9u);
}

void tst_positions::alignmentsAreSymmetricCosines() {
  const LabResult result = test::runLab("positions", test::tiny());
  const auto& map = test::panel(result, "Alignment of the updates, block 2").map;
  QCOMPARE(map->x.size(), 8u);
  for (std::size_t s = 0; s < 8; ++s) {
    QVERIFY(std::abs(map->values[s * 8 + s] - 1.0) < 1e-12);
    for (std::size_t t = 0; t < 8; ++t) {
      QVERIFY(std::abs(map->values[s * 8 + t]) <= 1.0 + 1e-12);
      QVERIFY(std::abs(map->values[s * 8 + t] - map->values[t * 8 + s]) < 1e-12);
    }
  }
}

EQUIPATCH_TEST(tst_positions)
#include "tst_positions.moc"

#include <cmath>

#include "tests/core/lab/lab_run.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;

class tst_words : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void theWordsStandUnderTheCurve();
  void aMissingModelIsNamed();
};

void tst_words::theWordsStandUnderTheCurve() {
  EXTRA_DATA_OR_SKIP(folder, "models/stories260K");
  const LabResult result = test::runLab(
      "words", {{"model", folder.string()}, {"prompt", "Once upon a time, Lily"}});
  QCOMPARE(test::panelProblem(result), std::string());
  const LabPanel& panel = test::panel(result, "Change of ΔW by each token");
  QVERIFY(panel.x.ticks.size() >= 5);
  QCOMPARE(panel.curves.at(0).y.size(), panel.x.ticks.size());
  const auto& map = test::panel(result, "Change of ΔW by token and layer").map;
  QCOMPARE(map->x.size(), panel.x.ticks.size());
  double square = 0.0;
  for (std::size_t layer = 0; layer < map->y.size(); ++layer)
    square += std::pow(map->values[layer * map->x.size()], 2);
  QVERIFY(std::abs(std::sqrt(square) - panel.curves[0].y[0]) < 1e-9);
}

void tst_words::aMissingModelIsNamed() {
  QVERIFY_ERROR(test::runLab("words", {{"model", "/no/such/model"}}), "/no/such/model");
}

EQUIPATCH_TEST(tst_words)
#include "tst_words.moc"

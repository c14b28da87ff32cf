#include "core/record/sweep/sweep_prompts.h"

#include "core/record/sweep/sweep_grid.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_sweep_preset : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void thePapersFigure();
  void thereIsNoOther();
};

void tst_sweep_preset::thePapersFigure() {
  const SweepPreset paper = sweepPreset("paper");
  QCOMPARE(paper.prompts.size(), 5u);
  QCOMPARE(paper.prompts[0].text,
           std::string("Give a one-sentence weather forecast for Mars from the "
                       "perspective of a grumpy cat."));
  QCOMPARE(paper.steps, 20);
  QVERIFY(paper.measureNoise);
  // Both dtypes with the paper's two methods, open, and with the program's own, closed.
  QStringList points;
  for (const SweepPoint& point : parseGrids(paper.grids, DType::F16))
    points += QString::fromStdString(pointText(point));
  points.sort();
  QCOMPARE(
      points,
      (QStringList{
          "bfloat16 balanced closed materialised", "bfloat16 direct open materialised",
          "bfloat16 stable open materialised", "float32 balanced closed materialised",
          "float32 direct open materialised", "float32 stable open materialised"}));
}

void tst_sweep_preset::thereIsNoOther() {
  QVERIFY_ERROR(sweepPreset("papers"), "no preset \"papers\"", "expected paper");
}

EQUIPATCH_TEST(tst_sweep_preset)
#include "tst_sweep_preset.moc"

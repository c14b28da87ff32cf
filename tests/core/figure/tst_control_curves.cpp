// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/control_curves.h"

#include "tests/core/figure/figure_runs.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using equipatch::test::changed;
using equipatch::test::figureRun;

class tst_control_curves : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  /// If the bare passes of all runs are equally far from their contextual passes, one
  /// curve stands for all; otherwise it has the name or dtype of the run that it is of.
  void theBarePassIsThatOfARun() {
    const FigureRun one = figureRun("one", 3);
    const auto nameOf = [&](double factor) {
      const FigureRun other =
          changed(figureRun("other", 3), 1,
                  [factor](StepRecord& record) { record.bareDistance->linf *= factor; });
      return controlCurves({one, other}, StepMeasure::Linf).front().name;
    };
    QCOMPARE(nameOf(1.0), std::string("bare pass"));
    QCOMPARE(nameOf(1.002), std::string("bare pass, one"));  // another dtype's
    QCOMPARE(nameOf(2.0), std::string("bare pass, one"));
    FigureRun wide = changed(figureRun("wide", 3), 1, [](StepRecord& record) {
      record.bareDistance->linf *= 2.0;
    });
    RunHeader header = *wide.header;
    header.dtype = DType::F64;
    wide.header = std::make_shared<const RunHeader>(header);
    QCOMPARE(controlCurves({wide, one}, StepMeasure::Linf).front().name,
             std::string("bare pass, float64"));
  }

  void eachAbsorbedPartHasABarePass() {
    const FigureRun whole = figureRun("whole", 3);
    std::vector<FigureRun> runs{whole, whole};
    for (int part = 0; part < 4; ++part) {
      FigureRun run =
          changed(figureRun("part " + std::to_string(part), 3), 1,
                  [](StepRecord& record) { record.bareDistance->linf = 1.0; });
      RunHeader header = *run.header;
      header.request.absorbed.keptPrompt = {{part, part}};
      run.header = std::make_shared<const RunHeader>(header);
      runs.push_back(run);
    }
    const auto namesOf = [](const std::vector<FigureRun>& shown) {
      std::vector<std::string> names;
      for (const FigureCurve& curve : controlCurves(shown, StepMeasure::Linf))
        names.push_back(curve.name);
      return names;
    };
    QCOMPARE(namesOf({runs[0], runs[1], runs[2]}),
             (std::vector<std::string>{"bare pass, whole", "bare pass, part 0"}));
    QCOMPARE(controlCurves({runs[0], runs[2]}, StepMeasure::Linf)[1].y[1], 1.0);
    // For five bare passes there are too few dash patterns.
    QCOMPARE(namesOf(runs), std::vector<std::string>{"bare pass, whole"});
  }
};

EQUIPATCH_TEST(tst_control_curves)
#include "tst_control_curves.moc"

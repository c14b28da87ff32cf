// SPDX-License-Identifier: GPL-3.0-or-later
#include <limits>

#include "core/figure/figure_kind.h"
#include "core/figure/run_figures.h"
#include "tests/core/figure/figure_runs.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using equipatch::test::changed;
using equipatch::test::figureRun;

namespace {

/// Three steps, in which the KL of the bare pass is `kl`, 2 `kl` and 3 `kl`. In the
/// first step alone, the bare and the contextual pass have the same token.
FigureRun klRun(const std::string& name, double kl) {
  FigureRun run = figureRun(name, 3);
  for (std::size_t step = 0; step < 3; ++step)
    run = changed(run, step, [&](StepRecord& record) {
      record.bareDistance = LogitDistance{.kl = kl * static_cast<double>(step + 1)};
      record.bare = record.contextual;
      if (step > 0) record.bare.front().id = TokenId(record.contextual[0].id.value + 1);
    });
  return run;
}

FigureBox boxOf(const std::string& name, double kl) {
  return effectBoxOf(klRun(name, kl).steps, ControlPass::Bare);
}

}  // namespace

class tst_effect_figure : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void theLargestEffectIsFirst() {
    const Figure figure =
        effectFigure({klRun("low", 0.01), klRun("high", 1.0), klRun("mid", 0.1)});
    QCOMPARE(figure.panels[0].y.names, (std::vector<std::string>{"high", "mid", "low"}));
    QCOMPARE(figure.panels[0].boxes[0].median, 2.0);
    QCOMPARE(figure.panels[1].bars[2].name, std::string("low"));
    QCOMPARE(figure.panels[1].bars[2].share.part, std::int64_t{1});
    QCOMPARE(figure.panels[1].bars[2].share.whole, std::int64_t{3});
    QCOMPARE(figure.panels[0].boxes[0].style, 1);  // the second run's
    const FigurePanel window = effectPanel({boxOf("a", 1.0)}, ControlPass::Bare);
    QCOMPARE(window.x.label, figure.panels[0].x.label);
    QCOMPARE(window.boxes[0].equal.part, std::int64_t{1});
  }

  void boxesWithoutValuesAreNotRanked() {
    FigureBox none = effectBoxOf({}, ControlPass::Bare);
    std::vector<FigureBox> boxes{boxOf("a", 0.1), none, boxOf("b", 1.0)};
    QCOMPARE(effectOrder(boxes), (std::vector<std::size_t>{2, 0}));
    boxes[0].high = 50.0;  // rows are ranked by their largest value
    QCOMPARE(effectOrder(boxes), (std::vector<std::size_t>{0, 2}));
  }

  void runsWithoutABarePassAreLeftOut() {
    FigureRun none = klRun("none", 1.0);
    for (std::size_t step = 0; step < 3; ++step)
      none = changed(none, step, [](StepRecord& record) {
        record.bareDistance.reset();
        record.bare.clear();
      });
    QCOMPARE(effectFigure({none, klRun("a", 1.0)}).panels[0].boxes.size(),
             std::size_t{1});
    QVERIFY_ERROR(effectFigure({none}), "bare pass", "run them again");
    const double nan = std::numeric_limits<double>::quiet_NaN();  // logits overflow
    QVERIFY_ERROR(effectFigure({klRun("none", nan)}), "finite logits", "wider dtype");
    const double infinity = std::numeric_limits<double>::infinity();
    QVERIFY_ERROR(effectFigure({klRun("none", infinity)}), "finite logits");
    const std::vector<FigureRun> runs{none, klRun("a", 1.0), klRun("b", 2.0)};
    const Figure figure = makeFigure(FigureKind::Effect, runs, {});
    QVERIFY2(figure.caption.find("Runs: a; b.") != std::string::npos,
             figure.caption.c_str());
    QCOMPARE(runsIn(figure, runs).size(), std::size_t{2});
    const Figure accuracy = makeFigure(FigureKind::Accuracy, runs, {});
    QCOMPARE(runsIn(accuracy, runs).size(), std::size_t{3});
  }

  void theAblatedPassIsShownIfEveryRunHasIt() {
    const FigureRun ablated = figureRun("a", 3, {.ablated = true});
    const Figure figure = makeFigure(FigureKind::Effect, {ablated}, {});
    QCOMPARE(figure.panels[0].x.label, std::string("KL of the ablated pass, nats"));
    QCOMPARE(figure.panels[0].boxes[0].largest(),
             std::max({ablated.steps[0]->ablatedDistance->kl,
                       ablated.steps[1]->ablatedDistance->kl,
                       ablated.steps[2]->ablatedDistance->kl}));
    QCOMPARE(figure.panels[1].x.label, std::string("equal tokens without the patch, %"));
    QVERIFY(figure.caption.find("Ablated pass: ") != std::string::npos);
    QVERIFY(figure.caption.find("the ablated pass has the contextual") !=
            std::string::npos);
    QVERIFY(figure.caption.find("Bare pass") == std::string::npos);
    // In a run that absorbs its whole context, the bare pass is also the ablated pass.
    FigureRun other = klRun("b", 1.0);
    QVERIFY(passIn(*other.header, ControlPass::Ablated) == ControlPass::Bare);
    QCOMPARE(effectFigure({ablated, other}).panels[0].x.label,
             std::string("KL of the ablated pass, nats"));
    QCOMPARE(effectFigure({ablated, other}).panels[0].boxes.size(), std::size_t{2});
    for (const double kl : {1e-9, 1e9})  // c's row is the last, then the first
      QVERIFY(makeFigure(FigureKind::Effect, {ablated, klRun("c", kl)}, {})
                  .caption.find("the ablated pass has the contextual") !=
              std::string::npos);
    RunHeader header = *other.header;
    header.request.absorbed.keepsGenerated = true;
    other.header = std::make_shared<const RunHeader>(header);
    QCOMPARE(effectFigure({ablated, other}).panels[0].x.label,
             std::string("KL of the bare pass, nats"));
  }

  void anAblatedPassWithoutFiniteLogitsIsNamed() {
    FigureRun run = figureRun("a", 3, {.ablated = true});
    for (std::size_t step = 0; step < 3; ++step)
      run = changed(run, step, [](StepRecord& record) {
        record.ablatedDistance->kl = std::numeric_limits<double>::infinity();
      });
    QVERIFY_ERROR(effectFigure({run}), "has an ablated pass with finite logits",
                  "run them again in a wider dtype");
  }

  void theEffectFigureHasACaption() {
    const Figure figure = makeFigure(FigureKind::Effect, {klRun("a", 0.0)}, {});
    QCOMPARE(figure.kind, std::string(name(FigureKind::Effect)));
    QVERIFY(figure.caption.find("Bare pass: ") != std::string::npos);
    QVERIFY(figure.caption.find("exactly 0") != std::string::npos);
  }
};

EQUIPATCH_TEST(tst_effect_figure)
#include "tst_effect_figure.moc"

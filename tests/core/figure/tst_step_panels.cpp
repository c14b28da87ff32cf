// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/step_panels.h"

#include "core/figure/run_groups.h"
#include "core/figure/token_axis.h"
#include "tests/core/figure/figure_runs.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using equipatch::test::changed;
using equipatch::test::figureRun;
using equipatch::test::makeHeader;
using equipatch::test::makeRecord;

namespace {

std::vector<std::string> namesIn(const FigurePanel& panel) {
  std::vector<std::string> names;
  for (const FigureCurve& curve : panel.curves) names.push_back(curve.name);
  return names;
}

}  // namespace

class tst_step_panels : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void distanceCurvesHaveTheRecordedValues() {
    const FigureRun run = figureRun("mine", 6);
    const Figure figure = generationFigure({run});
    QCOMPARE(figure.panels.size(), std::size_t{2});
    for (std::size_t step = 0; step < 6; ++step) {
      QCOMPARE(figure.panels[0].curves[0].y[step], run.steps[step]->patchedDistance.linf);
      QCOMPARE(figure.panels[1].curves[0].y[step], run.steps[step]->patchedDistance.tvd);
      QCOMPARE(figure.panels[0].curves[1].y[step], run.steps[step]->bareDistance->linf);
    }
    QCOMPARE(figure.panels[0].curves[0].name, std::string("mine"));
    for (const auto& runs : {std::vector{run}, {run, run}})
      QVERIFY(generationFigure(runs).panels[0].curves.back().look ==
              FigureCurve::Look::Reference);
    QVERIFY(figure.panels[0].marks.empty());
  }

  void mismatchesAreMarkedAtTheirSteps() {
    const Figure figure = generationFigure({figureRun("mine", 10, {.mismatchEvery = 4})});
    QCOMPARE(figure.panels[0].marks.at(0).x, (std::vector<double>{3, 7}));
    QCOMPARE(figure.panels[0].marks.at(0).y[1], figure.panels[0].curves[0].y[7]);
  }

  void auditAndAblatedPassHaveCurves() {
    const FigureRun run =
        figureRun("mine", 4, {.noise = true, .audit = true, .ablated = true});
    FigurePanel panel = logitPanel(*run.header);
    for (const auto& step : run.steps) addStep(*step, panel);
    QCOMPARE(panel.curves.size(), std::size_t(kStepMeasures - 2));  // all but the KLs
    QCOMPARE(panel.curves[5].name, std::string(nameOf(StepMeasure::Audit)));
    QCOMPARE(panel.curves[5].y[2], run.steps[2]->auditDistance->linf);
    QVERIFY(panel.curves[5].look != panel.curves[4].look);
    QCOMPARE(panel.curves[6].name, std::string(nameOf(StepMeasure::Ablated)));
    QCOMPARE(panel.curves[6].y[3], run.steps[3]->ablatedDistance->linf);
    QCOMPARE(overlayPanel({run, run}, StepMeasure::AblatedKl).curves[0].y[1],
             run.steps[1]->ablatedDistance->kl);
    QCOMPARE(logitPanel(*makeHeader()).curves.size(), std::size_t{4});
    QCOMPARE(overlayPanel({run, run}, StepMeasure::Audit).curves[1].y[3],
             run.steps[3]->auditDistance->linf);
  }

  /// If a panel has both distances, ◆ is on the TVD curve and ✗ on the L∞ curve.
  void sampledDifferencesAreMarkedInRunsThatSample() {
    auto header = std::make_shared<RunHeader>(*makeHeader());
    QCOMPARE(logitPanel(*header).marks.size(), std::size_t{1});
    header->request.sampling.temperature = 0.8;
    StepRecord step = *makeRecord(3, {.mismatchEvery = 4});
    step.sampledMatch = false;
    FigurePanel panel = logitPanel(*header);
    addStep(step, panel);
    addStep(*makeRecord(4), panel);
    QCOMPARE(panel.marks.at(1).name, std::string("sampled tokens differ"));
    QVERIFY(panel.marks[1].symbol == FigureMarks::Symbol::SampledDifference);
    QCOMPARE(panel.marks[1].x, std::vector<double>{3});
    QCOMPARE(panel.marks[1].y, std::vector<double>{step.patchedDistance.tvd});
    QCOMPARE(panel.marks[0].y, std::vector<double>{step.patchedDistance.linf});
    const FigureRun run{"mine", header, {std::make_shared<const StepRecord>(step)}};
    const Figure figure = generationFigure({run, figureRun("other", 2)});
    QCOMPARE(figure.panels[0].marks.at(1).y, panel.marks[0].y);
    QCOMPARE(figure.panels[1].marks.at(1).y, panel.marks[1].y);
  }

  void groupsWithEqualNamesHaveTheNumbersOfTheirRuns() {
    const auto inLayers = [](std::vector<std::int64_t> layers, int number) {
      FigureRun run = figureRun("run", 2);
      auto header = std::make_shared<RunHeader>(*run.header);
      header->request.strength.layers = std::move(layers);
      run.header = header;
      run.number = number;
      return run;
    };
    std::vector<std::int64_t> even, odd;  // both named "20 layers"
    for (std::int64_t layer = 0; layer < 20; ++layer) {
      even.push_back(2 * layer);
      odd.push_back(2 * layer + 1);
    }
    const FigureRun first = inLayers(even, 1), second = inLayers(odd, 2);
    for (const auto& runs : {std::vector{first, second}, {second, first}}) {
      const auto groups = groupsOf(runs, RunGrouping::Settings);
      QCOMPARE(groups.size(), std::size_t{2});
      for (const RunGroup& group : groups)
        QVERIFY2(group.name.ends_with(" #" + std::to_string(group.runs.front()->number)),
                 group.name.c_str());
    }
  }

  void groupsPoolRunsIntoAMedianWithABand() {
    std::vector<FigureRun> runs;
    for (int run = 0; run < 5; ++run)
      runs.push_back(changed(figureRun("run", 3), 1, [run](StepRecord& record) {
        record.patchedDistance.linf = run;
      }));
    auto other = std::make_shared<RunHeader>(*runs[0].header);
    other->dtype = DType::F64;
    runs.push_back({"other", other, {runs[0].steps[0], runs[0].steps[1]}});
    const FigurePanel panel = spreadPanel(runs, RunGrouping::Settings, StepMeasure::Linf);
    QCOMPARE(panel.curves.size(), std::size_t{2});
    const FigureCurve& group = panel.curves[0];
    QVERIFY2(group.name.ends_with(", median of 5 runs, 10 to 90 %"), group.name.c_str());
    QCOMPARE(group.y[1], 2.0);
    QCOMPARE(group.lower[1], 0.4);
    QCOMPARE(group.upper[1], 3.6);
    QCOMPARE(group.x.size(), std::size_t{3});
    QVERIFY(panel.curves[1].lower.empty());  // a single run
    QCOMPARE(panel.curves[1].x.size(), std::size_t{2});
    QVERIFY(panel.curves[0].style != panel.curves[1].style);
    // Groups pool different seeds, but not different temperatures.
    const auto sampled = [&](double temperature, std::uint64_t seed) {
      auto header = std::make_shared<RunHeader>(*runs[0].header);
      header->request.sampling = {.temperature = temperature, .seed = seed};
      return FigureRun{"sampled", header, runs[0].steps};
    };
    const auto bySettings =
        groupsOf({runs[0], sampled(0.5, 1), sampled(0.5, 2), sampled(1, 1)},
                 RunGrouping::Settings);
    QCOMPARE(bySettings.size(), std::size_t{3});
    QCOMPARE(bySettings[1].runs.size(), std::size_t{2});
    QCOMPARE(bySettings[1].name, std::string("temperature 0.5"));
    // A measurement that only one run of the group makes is not in the group's name.
    auto noise = std::make_shared<RunHeader>(*runs[0].header);
    noise->request.measureNoise = true;
    const FigureRun measured{"measured", noise, runs[0].steps};
    for (const auto& pooled : {std::vector{measured, runs[0], sampled(1, 1)},
                               std::vector{runs[0], measured, sampled(1, 1)}})
      QCOMPARE(groupsOf(pooled, RunGrouping::Settings)[0].name, std::string("greedy"));
    const auto all = groupsOf(runs, RunGrouping::All);
    QCOMPARE(all.size(), std::size_t{1});
    QCOMPARE(all[0].runs.size(), std::size_t{6});
    QCOMPARE(groupsOf(runs, RunGrouping::Each).size(), std::size_t{6});
    QCOMPARE(groupsOf(runs, RunGrouping::Each)[5].name, std::string("other"));
    const Figure figure = generationFigure(runs, {.grouping = RunGrouping::All});
    QCOMPARE(figure.panels[0].curves.at(0).upper.size(), std::size_t{3});
    QCOMPARE(figure.panels[0].curves[0].name,
             std::string("median of 5 to 6 runs, 10 to 90 %"));
    QVERIFY(figure.panels[0].hasBands());
    QVERIFY(!generationFigure(runs).panels[0].hasBands());
    // The axis has tokens, because all runs have the same tokens.
    QCOMPARE(figure.panels[1].x.names, generationFigure(runs).panels[1].x.names);
    QVERIFY(figure.panels[0].marks.empty());
  }

  /// After some runs have ended, the median is that of fewer runs.
  void medianNameStatesTheNumberOfRuns() {
    const std::vector<FigureRun> runs = {figureRun("a", 3), figureRun("b", 2),
                                         figureRun("c", 2)};
    const Figure figure = generationFigure(runs, {.grouping = RunGrouping::All});
    const FigureCurve& median = figure.panels[0].curves.at(0);
    QCOMPARE(median.name, std::string("median of 1 to 3 runs, 10 to 90 %"));
    QCOMPARE(median.counts, (std::vector<std::int64_t>{3, 3, 1}));
    const Figure equal =
        generationFigure({runs[1], runs[2]}, {.grouping = RunGrouping::All});
    QCOMPARE(equal.panels[0].curves.at(0).name,
             std::string("median of 2 runs, 10 to 90 %"));
    QVERIFY(generationFigure(runs).panels[0].curves.at(0).counts.empty());
  }

  void spacesOfTokensMayBeShown() {
    const FigureRun run = changed(figureRun("one", 1), 0, [](StepRecord& record) {
      record.continuedBytes = " Mars";
    });
    QCOMPARE(generationFigure({run}).panels[1].x.names[0], std::string("Mars"));
    QCOMPARE(generationFigure({run}, {.spaces = TokenSpaces::Visible}).panels[1].x.names,
             std::vector<std::string>{"·Mars"});
    const FigureRun spaces =
        changed(run, 0, [](StepRecord& record) { record.continuedBytes = "  "; });
    QCOMPARE(tokenLabel(*spaces.steps[0], TokenSpaces::Visible), std::string("··"));
    const FigureRun sign =
        changed(run, 0, [](StepRecord& record) { record.continuedBytes = "≠"; });
    // The token "≠" is not taken for a difference.
    QVERIFY(haveSameTokens({sign, sign}));
    QCOMPARE(generationFigure({sign}).panels[1].x.label, std::string("generated token"));
    QCOMPARE(tokenLabel(*run.steps[0]), std::string("Mars"));
  }

  void aFreeRunsTokenIsThatOfThePatchedPass() {
    StepRecord step = *figureRun("one", 1).steps[0];
    step.patchedToken = step.continued = TokenId(step.token.value + 1);
    step.patchedText = " Venus";
    step.continuedBytes.clear();  // then the label shows patchedText
    QCOMPARE(tokenLabel(step), std::string("Venus"));
  }

  void tokensLabelTheAxisWhereRunsAgree() {
    const FigureRun one = figureRun("one", 3);
    const FigureRun other = changed(figureRun("other", 2), 1, [](StepRecord& record) {
      record.continued = TokenId(record.continued.value + 1);
    });
    const Figure figure = generationFigure({other, one});
    QCOMPARE(figure.panels[1].x.names.size(), std::size_t{3});
    QCOMPARE(figure.panels[1].x.names[1], std::string("≠"));
    QVERIFY(figure.panels[1].x.names[0] != "≠");
    QCOMPARE(figure.panels[1].x.label,
             std::string("generated token (≠: not the same in all runs)"));
    QCOMPARE(generationFigure({one, one}).panels[1].x.label,
             std::string("generated token"));
    QVERIFY(figure.panels[0].x.names.empty());
    // If more than half of the steps differ, the axis has no tokens.
    FigureRun another = one;
    for (std::size_t step = 0; step < 2; ++step)
      another = changed(another, step, [](StepRecord& record) {
        record.continued = TokenId(record.continued.value + 1);
      });
    QVERIFY(generationFigure({another, one}).panels[1].x.names.empty());
    QCOMPARE(generationFigure({another, one}).panels[1].x.label, std::string("step"));
    QVERIFY(generationFigure({other, one}, {.grouping = RunGrouping::All})
                .panels[1]
                .x.names.empty());
    QCOMPARE(figure.panels[0].curves[0].style, 0);
    QCOMPARE(figure.panels[0].curves[1].style, 1);
  }

  /// The branch has another token than its parent at step 2 and begins one step later.
  void printedBranchesBeginAfterTheSharedSteps() {
    const FigureRun run = figureRun("mine", 4);
    FigureRun branch = figureRun("branch", 3);
    branch.begins = 3;
    branch = changed(branch, 0, [](StepRecord& record) {
      record.continued = TokenId(record.continued.value + 1);
    });
    const Figure figure = generationFigure({branch, run});
    for (const FigurePanel& panel : figure.panels) {
      QCOMPARE(panel.curves[0].x, (std::vector<double>{3, 4, 5}));
      QCOMPARE(panel.curves[1].x, (std::vector<double>{0, 1, 2, 3}));
      QCOMPARE(panel.curves[2].x, panel.curves[0].x);  // the branch's bare pass
    }
    const std::vector<std::string>& names = figure.panels[1].x.names;
    QCOMPARE(names.size(), std::size_t{6});
    QCOMPARE(names[2], tokenLabel(*run.steps[2]));
    QCOMPARE(names[3], std::string("≠"));
    QCOMPARE(names[5], tokenLabel(*branch.steps[2]));
  }

  void curvesHaveTheStylesOfTheirRuns() {
    FigureRun one = figureRun("one", 2);
    one.style = 3;
    const Figure figure = generationFigure({figureRun("other", 2), one});
    for (const FigurePanel& panel : figure.panels) {
      QCOMPARE(panel.curves[0].style, 0);
      QCOMPARE(panel.curves[1].style, 3);
    }
  }

  void logitPanelHasTheMeasuredQuantities() {
    RunHeader header = *makeHeader({.noise = true});
    QCOMPARE(namesIn(logitPanel(header)),
             (std::vector<std::string>{"L∞", "TVD", "bare L∞", "margin", "noise L∞"}));
    header.request.bare = false;
    header.request.measureNoise = false;
    QCOMPARE(namesIn(logitPanel(header)),
             (std::vector<std::string>{"L∞", "TVD", "margin"}));
  }

  /// The noise curve shows the larger of `noise` and `rounding`.
  void anAddedStepExtendsCurvesAndMarks() {
    StepRecord step = *makeRecord(3, {.noise = true, .mismatchEvery = 4});
    step.rounding = LogitDistance{0.5, 0.0, 0.0};
    FigurePanel panel = logitPanel(*makeHeader({.noise = true}));
    addStep(step, panel);
    QCOMPARE(panel.curves[0].x, std::vector<double>{3});
    QCOMPARE(panel.curves[1].y, std::vector<double>{step.patchedDistance.tvd});
    QCOMPARE(panel.curves[3].y, std::vector<double>{step.margin});
    QCOMPARE(panel.curves[4].y, std::vector<double>{0.5});
    QCOMPARE(panel.marks.at(0).y, std::vector<double>{step.patchedDistance.linf});
  }

  void aComparisonGrowsByStepsOfItsFirstRun() {
    const FigureRun run = figureRun("mine", 4);
    FigurePanel panel =
        comparisonPanel({{"mine", run.header, {}}, run}, StepMeasure::Tvd);
    for (const auto& step : run.steps) addStep(*step, StepMeasure::Tvd, panel);
    QCOMPARE(panel.curves[0].y, panel.curves[1].y);
    QCOMPARE(panel.curves[0].y[2], run.steps[2]->patchedDistance.tvd);
  }

  void anOverlayHasTheQuantitiesOfItsFirstRun() {
    FigureRun run = figureRun("mine", 4);
    FigureRun branch = figureRun("branch", 2);
    branch.begins = 3;
    const FigurePanel panel = overlayPanel({run, branch}, StepMeasure::Linf);
    QCOMPARE(namesIn(panel),
             (std::vector<std::string>{"mine", "branch", "TVD", "bare L∞", "margin"}));
    QCOMPARE(panel.curves[1].x, (std::vector<double>{3, 4}));  // left at step 2
    QCOMPARE(panel.curves[3].y[2], run.steps[2]->bareDistance->linf);
    QCOMPARE(panel.curves[4].y.size(), std::size_t(4));
    QCOMPARE(panel.tokens.size(), std::size_t(5));
    QCOMPARE(panel.tokens[2], tokenLabel(*run.steps[2]));
    QCOMPARE(panel.tokens[3],
             tokenLabel(*run.steps[3]) + " ≠ " + tokenLabel(*branch.steps[0]));
    QCOMPARE(overlayPanel({run, run}, StepMeasure::Linf).tokens[3],
             tokenLabel(*run.steps[3]));
    run.style = 4;
    const FigurePanel styled = overlayPanel({run, branch}, StepMeasure::Linf);
    for (std::size_t i = 2; i < styled.curves.size(); ++i) {
      QVERIFY(styled.curves[i].besideRuns);
      QCOMPARE(styled.curves[i].style, 4);
    }
    run.steps.clear();
    FigurePanel growing = overlayPanel({run, branch}, StepMeasure::Bare);
    QCOMPARE(namesIn(growing),
             (std::vector<std::string>{"mine", "branch", "L∞", "TVD", "margin"}));
    const StepRecord step = *makeRecord(0);
    addStep(step, StepMeasure::Bare, growing);
    QCOMPARE(growing.y.label, std::string("bare L∞ of the runs"));
    QCOMPARE(growing.curves[0].y, std::vector<double>{step.bareDistance->linf});
    QCOMPARE(growing.curves[2].y, std::vector<double>{step.patchedDistance.linf});
  }

  /// Before the branch's first step, the panel has the parent's tokens.
  void anOverlayOfABranchHasTheStepsOfItsParent() {
    const FigureRun parent = figureRun("parent", 4);
    FigureRun branch = figureRun("branch", 3);
    branch.begins = 2;
    branch = changed(branch, 1, [](StepRecord& record) { record.match = false; });
    FigureRun growing = branch;
    growing.steps.pop_back();
    FigurePanel panel = overlayPanel({growing, parent}, StepMeasure::Linf);
    addStep(*branch.steps[2], StepMeasure::Linf, panel, branch.begins);
    const FigurePanel whole = overlayPanel({branch, parent}, StepMeasure::Linf);
    for (const FigurePanel& each : {panel, whole}) {
      QCOMPARE(each.curves[0].x, (std::vector<double>{2, 3, 4}));
      QCOMPARE(each.curves[1].x, (std::vector<double>{0, 1, 2, 3}));
      QCOMPARE(each.curves[2].x, each.curves[0].x);  // TVD of the branch
      QCOMPARE(each.marks[0].x, std::vector<double>{3});
      QCOMPARE(each.tokens.size(), std::size_t{5});
      QCOMPARE(each.tokens[1], tokenLabel(*parent.steps[1]));
      QCOMPARE(each.tokens[2],
               tokenLabel(*branch.steps[0]) + " ≠ " + tokenLabel(*parent.steps[2]));
      QCOMPARE(each.tokens[4], tokenLabel(*branch.steps[2]));
      QVERIFY(each.x.label != "step");
    }
    QCOMPARE(overlayPanel({parent, parent}, StepMeasure::Linf).x.label,
             std::string("step"));
  }

  void strengthPanelShowsDistanceAndProbability() {
    const std::vector<StrengthReading> readings = {
        {.strength = {.alpha = 0.0},
         .distance = {9.0, 0.5, 0.0},
         .probability = 0.1,
         .match = false},
        {.strength = {.alpha = 1.0}, .distance = {0.0, 0.0, 0.0}, .probability = 0.8}};
    const FigurePanel panel = strengthPanel(readings);
    QCOMPARE(panel.curves[0].y, (std::vector<double>{9.0, 0.0}));
    QVERIFY(panel.curves[2].onRight && panel.right);
    QVERIFY(panel.right->limits && panel.right->limits->high >= 1.0);
    QVERIFY(panel.x.limits && panel.x.limits->high >= kMostStrength);
    QCOMPARE(panel.curves[2].y, (std::vector<double>{0.1, 0.8}));
    QCOMPARE(panel.marks.at(0).x, std::vector<double>{0.0});
  }
};

EQUIPATCH_TEST(tst_step_panels)
#include "tst_step_panels.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/run_figures.h"
#include "core/figure/run_groups.h"
#include "core/figure/statistics.h"
#include "tests/core/figure/figure_runs.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using equipatch::test::changed;
using equipatch::test::computedBy;
using equipatch::test::figureRun;

namespace {

constexpr PatchOptions kOpen = {Method::Direct, Loop::Open, Application::Factored};

FigureRun withDistances(int steps, double (*linf)(int)) {
  FigureRun run = figureRun("run", steps);
  for (int step = 0; step < steps; ++step)
    run = changed(run, std::size_t(step),
                  [&](StepRecord& record) { record.patchedDistance.linf = linf(step); });
  return run;
}

}  // namespace

class tst_accuracy_figure : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  /// If the rows have different numbers of runs, each name states its row's number.
  void runsComputedAlikeAreOneGroup() {
    const FigureRun run = figureRun("run", 10, {.mismatchEvery = 5});
    const FigureRun open = computedBy(figureRun("open", 4), DType::F32, kOpen);
    const Figure figure = accuracyFigure({run, open, run});
    const FigurePanel& accuracy = figure.panels.at(1);
    QCOMPARE(accuracy.bars.size(), std::size_t{2});
    QCOMPARE(accuracy.bars[0].name, std::string("bfloat16 balanced closed (2 runs)"));
    QCOMPARE(accuracy.bars[0].share.percent(), 80.0);
    QCOMPARE(shareText(accuracy.bars[0].share), std::string("80.0 %"));
    QCOMPARE(accuracy.bars[1].name, std::string("float32 direct open (1 run)"));
    QCOMPARE(shareText(accuracy.bars[1].share), std::string("100 %"));
    QCOMPARE(figure.panels[0].boxes[0].count, std::int64_t{20});
  }

  /// A row has a user's name only if all its runs have this name.
  void rowsHaveTheUsersNames() {
    FigureRun mine = figureRun("mine", 2);
    mine.own = "mine";
    FigureRun open = computedBy(figureRun("open", 2), DType::F32, kOpen);
    const auto namesOf = [](const std::vector<FigureRun>& runs) {
      return accuracyFigure(runs).panels[0].y.names;
    };
    QCOMPARE(namesOf({mine, open}),
             (std::vector<std::string>{"mine", "float32 direct open"}));
    FigureRun other = mine;
    QCOMPARE(namesOf({mine, open, other})[0], std::string("mine (2 runs)"));
    // nameRuns numbers runs with equal names.
    mine.name = "mine #1";
    other.name = "mine #2";
    QCOMPARE(namesOf({mine, open, other})[0], std::string("mine (2 runs)"));
    open.own = "mine";
    open.name = "mine #3";
    QCOMPARE(namesOf({mine, open, other}),
             (std::vector<std::string>{"mine (2 runs)", "mine #3 (1 run)"}));
    FigureRun second = open;
    QCOMPARE(
        namesOf({mine, open, other, second}),
        (std::vector<std::string>{"bfloat16 balanced closed", "float32 direct open"}));
    other.own = "another";
    QCOMPARE(namesOf({mine, open, other})[0],
             std::string("bfloat16 balanced closed (2 runs)"));
  }

  void rowsOfSeveralPromptsNameNoPrompt() {
    const auto asking = [](const char* model, const char* prompt) {
      FigureRun run = figureRun("run", 2);
      auto header = std::make_shared<RunHeader>(*run.header);
      header->modelName = model;
      header->request.promptText = prompt;
      run.header = header;
      return run;
    };
    QCOMPARE(accuracyFigure({asking("a", "Mars"), asking("a", "Hello"),
                             asking("b", "Mars"), asking("b", "Hello")})
                 .panels[0]
                 .y.names,
             (std::vector<std::string>{"a", "b"}));
  }

  /// The absorbed words decide, not the prompts or the positions.
  void runsThatAbsorbTheSameWordsAreOneRow() {
    const auto absorbing = [](const std::string& fact, PositionRange kept) {
      FigureRun run = figureRun("run", 2);
      auto header = std::make_shared<RunHeader>(*run.header);
      header->request.promptText = fact + " Answer:";
      const std::size_t end = fact.size();
      header->request.prompt = {{.span = {0, end}}, {.span = {end, end + 8}}};
      header->request.absorbed = {.keptPrompt = {kept}, .keepsGenerated = true};
      run.header = header;
      return run;
    };
    const Figure figure = accuracyFigure(
        {absorbing("Mia has 3.", {1, 1}), absorbing("Mia has 3.", {0, 0}),
         absorbing("Zoe has 5.", {1, 1}), absorbing("Zoe has 5.", {0, 0})});
    QCOMPARE(figure.panels[0].y.names,
             (std::vector<std::string>{"absorbs “Mia has 3.” (1 run)",
                                       "absorbs “Answer:” (2 runs)",
                                       "absorbs “Zoe has 5.” (1 run)"}));
  }

  void boxesShowQuantiles() {
    const FigureRun run = withDistances(101, [](int step) { return double(step); });
    const FigureBox box = accuracyFigure({run}).panels[0].boxes.at(0);
    QCOMPARE(box.low, 5.0);
    QCOMPARE(box.lowerQuartile, 25.0);
    QCOMPARE(box.median, 50.0);
    QCOMPARE(box.upperQuartile, 75.0);
    QCOMPARE(box.high, 95.0);
    QCOMPARE(box.outliers, (std::vector<double>{0, 1, 2, 3, 4, 96, 97, 98, 99, 100}));
  }

  /// accuracyFigure shows the shares in a panel of their own, so its boxes lack them.
  void aBoxOfStepsCountsEqualTokens() {
    const FigureRun run = figureRun("run", 10, {.mismatchEvery = 5});
    FigureBox box = boxOfSteps(run.steps);
    QCOMPARE(box.equal.part, std::int64_t{8});
    QCOMPARE(box.equal.whole, std::int64_t{10});
    box.name = "mine";
    QCOMPARE(equalText(distancePanel({box}).boxes[0].equal), std::string("80.0 % equal"));
    QCOMPARE(sharePanel({box}).bars[0].name, std::string("mine"));
    QCOMPARE(sharePanel({box}).bars[0].share.percent(), 80.0);
    QCOMPARE(equalText(accuracyFigure({run}).panels[0].boxes[0].equal), std::string());
  }

  void sharesBelow100PercentAreNotRoundedTo100() {
    FigureRun run = figureRun("run", 4000);
    run = changed(run, 7, [](StepRecord& record) { record.match = false; });
    const FigureShare share = accuracyFigure({run}).panels[1].bars[0].share;
    QCOMPARE(shareText(share), std::string("99.975 %"));
  }

  void differentAbsorbedPartsAreNotPooled() {
    const auto absorbing = [](AbsorbedSet set, std::size_t promptLength) {
      FigureRun run = figureRun("run", 2);
      auto header = std::make_shared<RunHeader>(*run.header);
      header->request.prompt.resize(promptLength);
      header->request.prompt.front().special = true;
      header->request.promptText = std::string(promptLength, 'a');
      header->request.absorbed = std::move(set);
      run.header = header;
      return run;
    };
    const AbsorbedSet keepFirst{.keptPrompt = {{0, 0}}, .keepsGenerated = false};
    const AbsorbedSet prompt{.keptPrompt = {}, .keepsGenerated = true};
    const AbsorbedSet middle{.keptPrompt = {{2, 3}}, .keepsGenerated = false};
    const Figure figure = accuracyFigure({absorbing({}, 5), absorbing(prompt, 5),
                                          absorbing({}, 9), absorbing(keepFirst, 5),
                                          absorbing(keepFirst, 9), absorbing(middle, 5)});
    QCOMPARE(
        figure.panels[1].y.names,
        (std::vector<std::string>{"absorbs all (2 runs)", "absorbs the prompt (1 run)",
                                  "keeps BOS (2 runs)", "keeps tokens 2–3 (1 run)"}));
    QCOMPARE(figure.panels[0].boxes[0].count, std::int64_t{4});
    QCOMPARE(figure.panels[0].boxes[2].count, std::int64_t{4});
  }

  /// A branch and its parent have different contexts.
  void branchesAreNotPooledWithTheirParents() {
    const FigureRun run = figureRun("run", 3);
    FigureRun first = figureRun("first", 2), second = figureRun("second", 2);
    first.begins = second.begins = 1;
    const Figure figure = accuracyFigure({run, first, second});
    QCOMPARE(figure.panels[1].y.names,
             (std::vector<std::string>{"bfloat16 balanced closed (1 run)",
                                       "bfloat16 balanced closed branches (2 runs)"}));
    QCOMPARE(figure.panels[0].boxes[0].count, std::int64_t{3});
    QCOMPARE(figure.panels[0].boxes[1].count, std::int64_t{4});
    FigureRun named = run;
    named.name = named.own = "mine";
    QCOMPARE(accuracyFigure({named, first}).panels[1].y.names,
             (std::vector<std::string>{"mine", "first"}));
  }

  void aRowHasItsRunsStyleOrItsIndex() {
    FigureRun run = figureRun("run", 2);
    run.style = 4;
    const FigureRun open = computedBy(figureRun("open", 2), DType::F32, kOpen);
    const Figure figure = accuracyFigure({run, open});
    QCOMPARE(figure.panels[0].boxes[0].style, 4);
    QCOMPARE(figure.panels[1].bars[0].style, 4);
    QCOMPARE(figure.panels[1].bars[1].style, 1);
  }

  void runsOfDifferentModelsOrWeightsAreNotPooled() {
    FigureRun other = figureRun("other", 2);
    auto header = std::make_shared<RunHeader>(*other.header);
    header->modelName = "larger";
    other.header = header;
    const Figure figure = accuracyFigure({figureRun("run", 2), other});
    QCOMPARE(figure.panels[1].y.names, (std::vector<std::string>{"synthetic", "larger"}));
    auto retrained = std::make_shared<RunHeader>(*header);
    retrained->provenance.tensorFiles = {{"model.safetensors", "abc"}};
    FigureRun again = other;
    again.header = retrained;
    QCOMPARE(accuracyFigure({other, again}).panels[1].bars.size(), std::size_t{2});
  }

  /// Earlier versions of the program recorded no sample of the weights' values.
  void aRunWithoutAWeightSampleIsPooledUnlessAmbiguous() {
    const auto withSample = [](const std::string& sample) {
      FigureRun run = figureRun("run", 2);
      auto header = std::make_shared<RunHeader>(*run.header);
      header->provenance.tensorFiles = {{"model.safetensors", "abc", sample}};
      run.header = header;
      return run;
    };
    const FigureRun old = withSample(""), one = withSample("11"), two = withSample("22");
    const auto groups = [](const std::vector<FigureRun>& runs) {
      return groupsOf(runs, RunGrouping::Settings).size();
    };
    QCOMPARE(groups({old, one, one}), std::size_t{1});
    QCOMPARE(groups({one, two}), std::size_t{2});
    QCOMPARE(groups({old, one, two}), std::size_t{3});
  }
};

EQUIPATCH_TEST(tst_accuracy_figure)
#include "tst_accuracy_figure.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/figure_kind.h"

#include <QScopeGuard>
#include <QTemporaryDir>
#include <fstream>

#include "core/figure/figure_json.h"
#include "core/figure/run_figures.h"
#include "core/record/file/run_writer.h"
#include "core/record/run_request.h"
#include "core/record/sweep/sweep_folder.h"
#include "tests/core/figure/figure_runs.h"
#include "tests/core/record/small_sweep.h"
#include "tests/support/ordinary_rights.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using equipatch::test::figureRun;

namespace fs = std::filesystem;

namespace {

void record(const FigureRun& run, const fs::path& path) {
  test::recordRun(*run.header, run.steps, path);
}

}  // namespace

class tst_figure_kind : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void kindsAreFoundByTheirNames() {
    for (int i = 0; i < kFigureKinds; ++i)
      QVERIFY(figureKindFromName(name(FigureKind(i))) == FigureKind(i));
    QVERIFY(!figureKindFromName("pie"));
  }

  void everyKindDrawsWithProvenance() {
    for (int i = 0; i < kFigureKinds; ++i) {
      FigureRun run = figureRun("mine", 3);
      run.header = test::withPicture(*run.header);
      const Figure figure = makeFigure(FigureKind(i), {run}, {});
      QCOMPARE(figure.kind, std::string(name(FigureKind(i))));
      QVERIFY(!figure.panels.empty());
      QVERIFY(figure.provenance.starts_with("{\"program\":\"Equipatch "));
    }
  }

  void theOverviewHasTheChosenPanels() {
    const FigureRun run = figureRun("mine", 3);
    const Figure all = makeFigure(FigureKind::Overview, {run}, {});
    FigureChoice choice{.mapLimit = 7.0,
                        .parts = {OverviewPart::ScaleMap, OverviewPart::Tokens}};
    const Figure some = makeFigure(FigureKind::Overview, {run}, choice);
    QCOMPARE(some.panels.size(), all.panels.size() - 2);
    QVERIFY(some.panels[0].y.label == all.panels[0].y.label);
    QVERIFY(some.panels.back().map.has_value());
    QCOMPARE(some.panels.back().map->largest, std::optional(7.0));
    FigureRun open = figureRun("open", 3, {.closesWithScale = false});
    QVERIFY_ERROR(
        makeFigure(FigureKind::Overview, {open}, {.parts = {OverviewPart::ScaleMap}}),
        "none of the chosen panels");
  }

  void theStepOfTheMapIsChosenSeparately() {
    const FigureRun run = figureRun("mine", 3);
    const FigureChoice choice{.step = StepIndex(0), .mapStep = StepIndex(2)};
    for (const FigureKind kind : {FigureKind::ScaleHeatmap, FigureKind::Overview}) {
      const Figure figure = makeFigure(kind, {run}, choice);
      QVERIFY(figure.panels.back().title.ends_with("tep 2"));
      QCOMPARE(figure.panels.back().map->grid.at(1, 4),
               run.steps[2]->layers[1].scaleDelta[4]);
    }
    QCOMPARE(overviewFigure({run}, choice).panels[2].title, std::string("Step 0"));
  }

  void onlyAKindsOptionsChangeItsFigure() {
    const FigureRun run = figureRun("mine", 3);
    const auto changes = [&](FigureKind kind, const FigureChoice& choice) {
      return figureJson(makeFigure(kind, {run, run}, choice)) !=
             figureJson(makeFigure(kind, {run, run}, {}));
    };
    const std::pair<FigureOption, FigureChoice> choices[] = {
        {FigureOption::Step, {.step = StepIndex(1)}},
        {FigureOption::MapStep, {.mapStep = StepIndex(1)}},
        {FigureOption::Measure, {.measure = PatchMeasure::Relative}},
        {FigureOption::Grouping, {.grouping = RunGrouping::All}},
        {FigureOption::Parts, {.parts = {OverviewPart::Tokens}}}};
    for (int i = 0; i < kFigureKinds; ++i)
      for (const auto& [option, choice] : choices)
        if (const FigureKind kind = FigureKind(i); kind != FigureKind::Image)
          QVERIFY2(changes(kind, choice) == hasOption(kind, option),
                   std::string(name(kind)).c_str());
    QVERIFY(!hasOption(FigureKind::Accuracy, FigureOption::MapColours));
    QCOMPARE(kindsWith(FigureOption::Parts), std::string("overview"));
    QCOMPARE(kindsWith(FigureOption::Step),
             std::string("patch-norms, scale-heatmap, layer-error or overview"));
  }

  void imageFiguresShowPicturesAndPrompt() {
    FigureRun run = figureRun("mine", 3);
    QVERIFY(!hasPictures(run));
    QVERIFY_ERROR(imageFigure({run}), "no image to draw");
    const FigureRun without = run;
    run.header = test::withPicture(*run.header);
    QVERIFY(hasPictures(run));
    const Figure figure = imageFigure({run, run});
    QCOMPARE(figure.panels.size(), std::size_t{3});
    const FigurePicture& picture = figure.panels[0].pictures.at(0);
    QCOMPARE(picture.width, 3);
    QCOMPARE(picture.height, 2);
    QCOMPARE(picture.rgb.back(), 170);
    QCOMPARE(figure.panels[0].caption, std::string("What is this?"));
    QCOMPARE(figure.panels[1].curves[0].y.size(), std::size_t{3});
    QVERIFY_ERROR(imageFigure({run, without}), "other images");
    auto twice = std::make_shared<RunHeader>(*run.header);
    twice->request.images.push_back(twice->request.images[0]);
    run.header = twice;
    const Figure two = imageFigure({run});
    QCOMPARE(two.panels.size(), std::size_t{3});
    QCOMPARE(two.panels[0].pictures.size(), std::size_t{2});
    RunRequest& asked = twice->request;  // the caption numbers the image placeholders
    asked.promptText = "Is\n\n<image>\n\n a <image>?";
    asked.prompt = {{.id = TokenId(1), .span = {0, 4}},
                    {.id = TokenId(9), .span = {4, 11}},
                    {.id = TokenId(2), .span = {11, 16}},
                    {.id = TokenId(9), .span = {16, 23}},
                    {.id = TokenId(3), .span = {23, 24}}};
    asked.images[0].tokens = {1, 1};
    asked.images[1].tokens = {3, 3};
    QCOMPARE(imageFigure({run}).panels[0].caption,
             std::string("Is [image 1] a [image 2] ?"));
    auto damaged = std::make_shared<RunHeader>(*run.header);
    auto file = std::make_shared<PictureFile>(*damaged->request.images[0].picture);
    file->bytes.pop_back();
    damaged->request.images[0].picture = file;
    run.header = damaged;
    QVERIFY_ERROR(imageFigure({run}), "flag.ppm", "cut off");
  }

  void aFigureNeedsRunsWithSteps() {
    QVERIFY_ERROR(makeFigure(FigureKind::ByToken, {}, {}),
                  "a figure needs at least one run");
    QVERIFY_ERROR(makeFigure(FigureKind::ByToken, {figureRun("empty", 0)}, {}),
                  "a figure needs at least one run");
  }

  void readRunsEqualTheRecordedRuns() {
    QTemporaryDir folder;
    const fs::path path(folder.path().toStdString());
    const FigureRun run = figureRun("mine", 3);
    record(run, path / "b.eqrun");
    record(figureRun("short", 1), path / "a.eqrun");
    std::ofstream(path / "notes.txt") << "no run";
    SilentProgress progress;
    const auto runs = readFigureRuns({path}, FigureKind::ScaleHeatmap, progress);
    QCOMPARE(runs.size(), std::size_t{2});
    QCOMPARE(runs[0].steps.size(), std::size_t{1});
    QVERIFY(*runs[1].steps[2] == *run.steps[2]);
    QVERIFY(runs[1].colour.empty() && runs[1].file.filename() == "b.eqrun");
    const auto light = readFigureRuns({path / "b.eqrun"}, FigureKind::Accuracy, progress);
    QCOMPARE(light[0].name, std::string("bfloat16 balanced closed"));
    QVERIFY(light[0].steps[0]->layers[0].scaleDelta.empty());
    QCOMPARE(light[0].steps[1]->patchedDistance.linf, run.steps[1]->patchedDistance.linf);
  }

  void runsOfASweepHaveTheOrderOfItsGrid() {
    QTemporaryDir folder;
    const fs::path path(folder.path().toStdString());
    SweepPlan plan = test::smallSweep();
    plan.points = parseGrid("strength=1,0.5,-1,2", DType::F32);
    claimSweepFolder(path, plan);
    const FigureRun run = figureRun("", 2);
    std::vector<std::string> expected;
    for (const SweepCell& cell : cellsOf(plan)) {
      record(run, path / cell.fileName());
      expected.push_back(cell.fileName());
    }
    record(run, path / "a.eqrun");  // of no cell of the grid
    expected.push_back("a.eqrun");
    const auto filesNow = [&] {
      SilentProgress progress;
      std::vector<std::string> files;
      for (const FigureRun& read : readFigureRuns({path}, FigureKind::Accuracy, progress))
        files.push_back(read.file.filename().string());
      return files;
    };
    QCOMPARE(filesNow(), expected);
    std::ofstream(path / "sweep.json") << "{";
    std::ranges::sort(expected);
    QCOMPARE(filesNow(), expected);
  }

  /// The file of a branch begins one step after the step at which the branch left its
  /// parent.
  void branchesInFilesAreAligned() {
    QTemporaryDir folder;
    const fs::path path(folder.path().toStdString());
    const FigureRun run = figureRun("run", 5), branch = figureRun("branch", 2);
    const auto write = [&path](const FigureRun& each, const RunRequest& request,
                               const char* name) {
      RunHeader header = *each.header;
      header.request = request;
      RunWriter writer(path / name, header);
      for (const auto& step : each.steps) writer.add(*step);
      writer.finish(RunEnding::Complete);
    };
    RunRequest request = run.header->request;
    request.prompt = {{.id = TokenId(1)}};
    write(run, request, "b.eqrun");
    write(branch,
          branchedRequest(request, {run.steps.begin(), run.steps.begin() + 2},
                          {TokenId(77), "other", 0.0, 0.1}),
          "a.eqrun");
    SilentProgress progress;
    const auto runs = readFigureRuns({path}, FigureKind::ByToken, progress);
    QCOMPARE(runs[0].begins, std::int64_t{3});
    QCOMPARE(runs[1].begins, std::int64_t{0});
    const Figure figure = makeFigure(FigureKind::ByToken, runs, {});
    QCOMPARE(figure.panels[0].curves[0].x, (std::vector<double>{3.0, 4.0}));
    QCOMPARE(figure.panels[0].curves[1].x.size(), std::size_t{5});
  }

  void filesThatAreNoRunAreNamed() {
    QTemporaryDir folder;
    const fs::path path(folder.path().toStdString());
    SilentProgress progress;
    QVERIFY_ERROR(readFigureRuns({path}, FigureKind::Accuracy, progress),
                  "expected run files (.eqrun) in the folder");
    std::ofstream(path / "a.eqrun") << "no run";
    QVERIFY_ERROR(readFigureRuns({path}, FigureKind::Accuracy, progress), "a.eqrun");
    record(figureRun("empty", 0), path / "empty.eqrun");
    QVERIFY_ERROR(readFigureRuns({path / "empty.eqrun"}, FigureKind::Accuracy, progress),
                  "holds no finished step");
  }

  void aFolderThatCannotBeListedIsNamed() {
    QTemporaryDir folder;
    const fs::path path(folder.path().toStdString());
    SilentProgress progress;
    fs::permissions(path, fs::perms::owner_exec);
    const auto restored =
        qScopeGuard([&path] { fs::permissions(path, fs::perms::owner_all); });
    const auto read = [&] {
      return readFigureRuns({path}, FigureKind::Accuracy, progress);
    };
    QVERIFY_ERROR(test::withOrdinaryRights(read), "the folder cannot be listed",
                  folder.path());
  }

  void theOverviewShowsAllPanels() {
    const Figure figure = overviewFigure({figureRun("run", 3)}, {});
    QCOMPARE(figure.panels.size(), std::size_t{5});
    QVERIFY(figure.panels.back().map.has_value());
  }

  void overviewPanelsNameTheRunIfThereAreTwo() {
    const Figure one = overviewFigure({figureRun("mine", 3)}, {});
    QCOMPARE(one.panels[2].title, std::string("Median and 10 to 90 % of 3 steps"));
    QCOMPARE(one.panels[4].title, std::string("Step 0"));
    const Figure two = overviewFigure({figureRun("mine", 3), figureRun("other", 3)}, {});
    QCOMPARE(two.panels[2].title, std::string("mine, median and 10 to 90 % of 3 steps"));
  }

  /// The window keeps in memory only the vectors of the run on display.
  void missingVectorsAreReadFromTheFile() {
    QTemporaryDir folder;
    const fs::path path = fs::path(folder.path().toStdString()) / "a.eqrun";
    const FigureRun run = figureRun("mine", 3);
    record(run, path);
    FigureRun light = run;
    for (auto& step : light.steps) step = withoutVectors(*step);
    light.file = path;
    const FigureChoice second{.step = StepIndex(1)};
    for (const FigureKind kind : {FigureKind::ScaleHeatmap, FigureKind::Overview}) {
      const Figure figure = makeFigure(kind, {light}, second);
      const HeatGrid& grid = figure.panels.back().map->grid;
      QCOMPARE(grid.columns(), 32);
      QCOMPARE(grid.at(2, 5), run.steps[1]->layers[2].scaleDelta[5]);
    }
    light.file = path.parent_path() / "gone.eqrun";
    QVERIFY_ERROR(makeFigure(FigureKind::Overview, {light}, second), "gone.eqrun");
    light.file.clear();
    QVERIFY_ERROR(makeFigure(FigureKind::Overview, {light}, second),
                  "the run: its Δm is no longer in memory");
  }

  void emptyPanelsAreRefused() {
    FigureRun run = figureRun("mine", 1);
    run = equipatch::test::changed(run, 0,
                                   [](StepRecord& record) { record.layers.clear(); });
    QVERIFY_ERROR(makeFigure(FigureKind::PatchNorms, {run}, {}),
                  "its panel \"mine, step 0\" has no values");
  }

  void theOverviewOmitsAnAbsentScaleMap() {
    const Figure figure =
        overviewFigure({figureRun("run", 3, {.closesWithScale = false})}, {});
    QCOMPARE(figure.panels.size(), std::size_t{4});
  }
};

EQUIPATCH_TEST(tst_figure_kind)
#include "tst_figure_kind.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/figure_caption.h"

#include "core/figure/figure_json.h"
#include "core/figure/figure_kind.h"
#include "core/figure/lab_figure.h"
#include "core/figure/run_names.h"
#include "core/figure/tex/figure_tex.h"
#include "tests/support/records.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using equipatch::test::makeHeader;
using equipatch::test::makeRecord;

namespace {

/// Two steps; the second is a mismatch.
FigureRun runWith(DType dtype, const std::string& prompt) {
  RunHeader header = *makeHeader();
  header.modelName = "tiny";
  header.architecture = "TinyForCausalLM";
  header.device = "cpu";
  header.dtype = dtype;
  header.request.promptText = prompt;
  header.request.prompt.resize(3);
  auto mismatch = std::make_shared<StepRecord>(*makeRecord(1));
  mismatch->match = false;
  return {.name = std::string(torchName(dtype)),
          .header = std::make_shared<const RunHeader>(header),
          .steps = {makeRecord(0), mismatch}};
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

class tst_figure_caption : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void oneRunIsDescribed() {
    const Figure figure =
        makeFigure(FigureKind::ByToken, {runWith(DType::BF16, "Once\nupon")}, {});
    for (const char* part :
         {"Contextual and patched pass, token by token.",
          "Model: tiny (TinyForCausalLM).", "Prompt: “Once upon” (3 tokens).",
          "bfloat16, balanced patch, closed loop", "agree in 1 of 2 steps.",
          "L∞: the largest difference", "Total variation: half the sum",
          "✗: the most likely", "Bare pass: ", "Made with Equipatch " EQUIPATCH_VERSION})
      QVERIFY2(contains(figure.caption, part), (figure.caption + " | " + part).c_str());
    for (const char* part : {"Boxes", "KL: ", "Margin: ", "Hidden error: "})
      QVERIFY2(!contains(figure.caption, part), part);
    QVERIFY(!contains(figure.caption, "\n"));
  }

  void twoRunsAreDescribed() {
    const std::vector<FigureRun> runs{runWith(DType::BF16, "a"),
                                      runWith(DType::F32, "b")};
    const std::string caption = makeFigure(FigureKind::Accuracy, runs, {}).caption;
    QVERIFY2(contains(caption,
                      " Prompts: (1) “a” (3 tokens); (2) “b” (3 tokens). "
                      "Settings: cpu, balanced patch"),
             caption.c_str());
    QVERIFY2(contains(caption,
                      " agree: bfloat16 (prompt 1): 1 of 2; float32 (prompt 2): 1 of 2."),
             caption.c_str());
    QVERIFY(contains(caption, "compared with the contextual pass of its own dtype"));
    QVERIFY(contains(caption, "The balanced method splits the change"));
    QVERIFY(contains(caption, "The closed loop computes each layer's patch"));
    QVERIFY(contains(caption, "Boxes show the quartiles"));
    QVERIFY(contains(makeFigure(FigureKind::Effect, runs, {}).caption,
                     "KL: the sum of p log(p/q)"));
    QVERIFY(contains(makeFigure(FigureKind::LayerError, runs, {}).caption,
                     "Hidden error: the distance"));
    QCOMPARE(sharedSettings({headersOf(runs)[0]}).at(1), "bfloat16");
  }

  void branchesAndPartsOfThePatchAreExplained() {
    FigureRun run = runWith(DType::BF16, "Once upon");
    auto header = std::make_shared<RunHeader>(*run.header);
    header->request.prompt = {{.span = {0, 4}}, {.span = {4, 9}}};
    header->request.branch.tokens = 1;
    header->request.strength.alpha = 0.5;
    run.header = header;
    const std::string alone = makeFigure(FigureKind::PatchNorms, {run}, {}).caption;
    QVERIFY2(contains(alone,
                      "The run is a branch (step 0: upon): after the prompt it has "
                      "0 tokens of an earlier run and a token that the user chose."),
             alone.c_str());
    QVERIFY2(contains(alone, "Sizes are of the whole patch"), alone.c_str());
    const FigureRun other = runWith(DType::F32, "Once");
    QVERIFY(contains(makeFigure(FigureKind::ByToken, {other, run}, {}).caption,
                     "A branch, such as “step 0: upon”, continues that step"));
    QVERIFY(!contains(makeFigure(FigureKind::PatchNorms, {other}, {}).caption, "branch"));
  }

  /// The caption adds the settings that a run's name does not state.
  void namedRunsAreDescribed() {
    FigureRun first = runWith(DType::BF16, "a"), second = runWith(DType::F32, "a");
    first.name = "mine";
    RunHeader header = *second.header;
    header.request.sampling = {.temperature = 1.5, .seed = 7};
    second.header = std::make_shared<const RunHeader>(header);
    const std::string caption =
        makeFigure(FigureKind::PatchNorms, {first, second}, {}).caption;
    QVERIFY2(
        contains(caption,
                 "Runs: mine (bfloat16, greedy); float32 (temperature 1.5, seed 7)."),
        caption.c_str());
    QVERIFY(!contains(caption, "agree"));
    QVERIFY(contains(caption, "‖ΔW‖: the Frobenius norm"));
    QVERIFY(contains(caption, "medians; the band"));
  }

  void runNamesAreNotTakenForMeasures() {
    FigureRun first = runWith(DType::BF16, "a"), second = runWith(DType::F32, "a");
    first.name = "noise on";
    second.name = "margin";
    const std::string caption =
        makeFigure(FigureKind::ByToken, {first, second}, {}).caption;
    QVERIFY2(contains(caption, "Bare pass: "), caption.c_str());
    for (const char* part : {"Noise: ", "Margin: "})
      QVERIFY2(!contains(caption, part), caption.c_str());
  }

  void mapsAndEqualTokenPercentsAreExplained() {
    FigureRun run = runWith(DType::F32, "a");
    RunHeader header = *run.header;
    header.closesWithScale = true;
    run.header = std::make_shared<const RunHeader>(header);
    for (const bool logarithmic : {true, false}) {
      const std::string caption =
          makeFigure(FigureKind::ScaleHeatmap, {run},
                     {.mapStep = StepIndex(1), .logarithmicMap = logarithmic})
              .caption;
      QVERIFY2(contains(caption, "Δm: the change of the scale of the norm that closes"),
               caption.c_str());
      QCOMPARE(contains(caption, "colours are linear"), !logarithmic);
      QVERIFY2(contains(caption, "Map: float32, step 1"), caption.c_str());
      QVERIFY(!contains(caption, "a scale of its own"));
    }
    QVERIFY(contains(
        makeFigure(FigureKind::PatchNorms, {run}, {.measure = PatchMeasure::Relative})
            .caption,
        "bias that closes the block is not shown"));
    Figure maps = makeFigure(FigureKind::ScaleHeatmap, {run}, {});
    maps.panels.push_back(maps.panels.front());
    maps.panels.back().map->largest = 1e3;
    QVERIFY(contains(captionOf(maps, {run}), "Each map has a scale of its own."));
    QVERIFY(contains(makeFigure(FigureKind::Accuracy, {run}, {}).caption,
                     "Equal: the steps in which the patched pass has"));
    Figure effect = makeFigure(FigureKind::Effect, {run}, {});
    QVERIFY(contains(effect.caption, "Equal: the steps in which the bare pass has"));
    effect.panels = {
        effectPanel({effectBoxOf(run.steps, ControlPass::Bare)}, ControlPass::Bare)};
    QVERIFY(contains(figureJson(effect), "equal_percent"));
  }

  /// The norm scale after a dense MLP beside experts does not close the block.
  void theScaleOfADenseMlpIsExplained() {
    FigureRun run = runWith(DType::F32, "a");
    RunHeader header = *run.header;
    header.patchedMatrices.push_back(kDenseScale);
    run.header = std::make_shared<const RunHeader>(header);
    for (auto& shared : run.steps) {
      auto step = std::make_shared<StepRecord>(*shared);
      for (LayerRecord& layer : step->layers)
        layer.matrices.push_back({kDenseScale, 2.0, 0.5});
      shared = step;
    }
    const std::string closing = "‖Δm‖: the norm of the change of the scale of the norm";
    const std::string dense =
        "Δm dense scale: the norm of the change of the scale after the dense MLP beside "
        "the experts";
    const auto captionWith = [&](PatchMeasure measure) {
      return makeFigure(FigureKind::PatchNorms, {run}, {.measure = measure}).caption;
    };
    const std::string absolute = captionWith(PatchMeasure::Absolute);
    QVERIFY2(contains(absolute, dense + "."), absolute.c_str());
    QVERIFY2(contains(absolute, closing), absolute.c_str());
    const std::string relative = captionWith(PatchMeasure::Relative);
    QVERIFY2(contains(relative, dense + ", over the norm of that scale."),
             relative.c_str());
    QVERIFY2(!contains(relative, closing), relative.c_str());
  }

  void manyRunsAreCountedInsteadOfListed() {
    const std::vector<FigureRun> runs(13, runWith(DType::BF16, "a"));
    const std::string caption = makeFigure(FigureKind::Accuracy, runs, {}).caption;
    QVERIFY2(contains(caption,
                      "13 runs. The most likely tokens of the contextual and "
                      "the patched pass agree in 13 of 26 steps."),
             caption.c_str());
    QVERIFY(!contains(makeFigure(FigureKind::LayerError, runs, {}).caption, "agree"));
  }

  void differingAxesOfPanelsAreMentioned() {
    const FigureRun run = runWith(DType::F32, "a");
    Figure figure = makeFigure(FigureKind::PatchNorms, {run, run}, {});
    const std::string remark = "Panels of the same measure have axes of their own.";
    QVERIFY(!contains(captionOf(figure, {run, run}), remark));
    for (double& y : figure.panels.back().curves.front().y) y *= 100.0;
    QVERIFY(contains(captionOf(figure, {run, run}), remark));
  }

  void aLongPromptIsCut() {
    const std::string prompt(5000, 'x');
    const std::string caption =
        makeFigure(FigureKind::ByToken, {runWith(DType::F32, prompt)}, {}).caption;
    QVERIFY(contains(caption, "xxx… (3 tokens)"));
    QVERIFY(caption.size() < 2000);
  }

  void jsonAndPgfplotsHoldTheCaption() {
    const Figure figure =
        makeFigure(FigureKind::ByToken, {runWith(DType::F32, "100 % & {more}")}, {});
    QVERIFY(contains(figureJson(figure), "\"caption\":\"Contextual and"));
    const std::string tex = figureTex(figure, {});
    QVERIFY2(contains(tex, "% \\caption{Contextual and"), tex.substr(0, 2000).c_str());
    QVERIFY(contains(tex, "100 \\% \\& \\{more\\}"));
  }

  void experimentCaptionsHoldSettingsAndNotes() {
    LabResult result{.title = "One map", .panels = {{.title = "p"}}, .notes = {"Note."}};
    result.origin.setting = "quick";
    result.origin.seed = 7;
    QVERIFY(captionOf(result).starts_with(
        "One map. Settings: quick, seed 7. Note. Made with Equipatch"));
    QCOMPARE(labFigure(result, 1).caption, captionOf(result));
    result.origin.choices = {{"prompt", std::string("The lamp.")},
                             {"steps", std::int64_t{3}}};
    QVERIFY2(captionOf(result).starts_with(
                 "One map. Settings: quick, prompt “The lamp.”, seed 7. Note."),
             captionOf(result).c_str());
    result.experiment = "image-map";  // without randomness, so without a seed
    result.origin.setting = "own";
    result.origin.choices = {{"model", std::string("tiny")},
                             {"step", std::int64_t{3}},
                             {"rate", 0.25},
                             {"sha256", std::string("00ff")}};
    QVERIFY2(captionOf(result).starts_with(
                 "One map. Settings: model tiny, step 3, rate 0.25. Note."),
             captionOf(result).c_str());
  }
};

EQUIPATCH_TEST(tst_figure_caption)
#include "tst_figure_caption.moc"

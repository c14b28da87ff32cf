// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/control_curves.h"

#include "tests/core/figure/figure_runs.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using equipatch::test::changed;
using equipatch::test::computedBy;
using equipatch::test::figureRun;

namespace {

template <typename Change>
FigureRun with(FigureRun run, Change change) {
  auto header = std::make_shared<RunHeader>(*run.header);
  change(header->request);
  run.header = header;
  return run;
}

std::vector<std::string> namesOf(const std::vector<FigureRun>& runs) {
  std::vector<std::string> names;
  for (const FigureCurve& curve : controlCurves(runs, StepMeasure::Linf))
    names.push_back(curve.name);
  return names;
}

}  // namespace

class tst_control_curves : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  /// If runs with the same prompt have different bare passes, the curve shows that of the
  /// first run, and its name has the settings that distinguish this run.
  void aPromptHasOneBarePassCurve() {
    const FigureRun one = figureRun("one", 3);
    const auto nameBeside = [&](const FigureRun& other) {
      const auto curves = controlCurves({other, one}, StepMeasure::Linf);
      return curves.size() == 1 ? curves.front().name : "several curves";
    };
    const auto farther = [](FigureRun run) {
      return changed(std::move(run), 1,
                     [](StepRecord& record) { record.bareDistance->linf *= 2.0; });
    };
    QCOMPARE(nameBeside(figureRun("other", 3)), std::string("bare pass"));
    const PatchOptions& patch = one.header->request.patch;
    const FigureRun wide = computedBy(farther(one), DType::F64, patch);
    QCOMPARE(nameBeside(wide), std::string("bare pass, float64"));
    const FigureRun sampled = with(farther(one), [](RunRequest& request) {
      request.sampling = {.temperature = 0.5, .seed = 3};
      request.patch.method = Method::Direct;
    });
    QCOMPARE(nameBeside(sampled), std::string("bare pass, temperature 0.5"));
  }

  void barePassNamesOmitThePatchSettings() {
    const FigureRun balanced = figureRun("balanced", 3);
    const auto direct = [](const FigureRun& run) {
      return with(run, [](RunRequest& request) {
        request.patch = {Method::Direct, Loop::Open, Application::Materialised};
        request.strength.alpha = 0.5;
        request.measureNoise = true;
      });
    };
    // On some devices, a row's rounding depends on the number of rows in the batch, and
    // the open loop adds a row.
    FigureRun other = changed(direct(balanced), 1, [](StepRecord& record) {
      record.bareDistance->linf *= 1.01;
    });
    other.name = "direct";
    QCOMPARE(namesOf({balanced, other}), std::vector<std::string>{"bare pass"});
    const FigureRun part = with(direct(balanced), [](RunRequest& request) {
      request.absorbed.keptPrompt = {{0, 0}};
    });
    const std::vector<std::string> names = namesOf({balanced, other, part});
    QCOMPARE(names.size(), std::size_t(2));
    for (const std::string& name : names) {
      QVERIFY(name.starts_with("bare pass, "));
      for (const char* word : {"balanced", "direct", "closed", "open", "α", "noise"})
        QVERIFY2(name.find(word) == std::string::npos, name.c_str());
    }
    // The patched pass chooses the tokens of a free run.
    const auto free = [](FigureRun run) {
      return with(std::move(run), [](RunRequest& request) { request.freeRun = true; });
    };
    const std::string ofFree = namesOf({free(balanced), free(other)}).front();
    QVERIFY2(ofFree.find("balanced") != std::string::npos, ofFree.c_str());
  }

  void upToFourAbsorbedPartsHaveACurveEach() {
    const FigureRun whole = figureRun("whole", 3);
    std::vector<FigureRun> runs{whole, whole};
    for (int part = 0; part < 4; ++part) {
      FigureRun run =
          changed(figureRun("part " + std::to_string(part), 3), 1,
                  [](StepRecord& record) { record.bareDistance->linf = 1.0; });
      RunHeader header = *run.header;
      header.request.absorbed.keptPrompt = {{part, part}};
      run.header = std::make_shared<const RunHeader>(header);
      run.own = run.name;  // named by the user
      runs.push_back(run);
    }
    QCOMPARE(namesOf({runs[0], runs[1], runs[2]}),
             (std::vector<std::string>{"bare pass, absorbs all", "bare pass, part 0"}));
    QCOMPARE(controlCurves({runs[0], runs[2]}, StepMeasure::Linf)[1].y[1], 1.0);
    // There are only four dash patterns.
    QCOMPARE(namesOf(runs), std::vector<std::string>{"bare pass, absorbs all"});
  }
};

EQUIPATCH_TEST(tst_control_curves)
#include "tst_control_curves.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/rerun.h"

#include <QTemporaryDir>
#include <cmath>

#include "tests/core/record/small_run.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

struct Counter final : RunSink {
  void runStarted(std::shared_ptr<const RunHeader>) override { ++calls; }
  void stepTaken(std::shared_ptr<const StepRecord>) override { ++calls; }
  int calls = 0;
};

}  // namespace

class tst_rerun : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void theModelIsOpenedAsRecorded();
  void theErrorNamesAMissingModel();
  void theComparisonIgnoresTimes();
  void notANumberEqualsItself();
  void theFirstDifferenceIsNamed();
  void differencesAreDescribedInWords();
};

void tst_rerun::theModelIsOpenedAsRecorded() {
  RunHeader header;
  header.modelFolder = "/models/one";
  header.dtype = DType::BF16;
  header.device = "cuda:1";
  header.computesFloat32 = true;
  const SessionRequest request = sessionRequestOf(header);
  QCOMPARE(request.folder, std::filesystem::path("/models/one"));
  QVERIFY(request.dtype == DType::BF16 && request.device == "cuda:1");
  QVERIFY(request.computeFloat32);
}

/// The run may come from another machine, and the user did not type the model's folder.
/// The error therefore says that the folder is the one that the run recorded.
void tst_rerun::theErrorNamesAMissingModel() {
  const QTemporaryDir folder;
  RunHeader header;
  header.modelName = "one";
  header.modelFolder = folder.path().toStdString();
  requireModelOf(header, "give another");
  header.modelFolder = "/nowhere/one";
  QCOMPARE(test::errorOf([&] { requireModelOf(header, "give another"); }),
           QStringLiteral("the run's model, one, is not in /nowhere/one, where it was "
                          "recorded; give another"));
}

void tst_rerun::theComparisonIgnoresTimes() {
  const StoredRun run = test::smallRun();
  const auto counter = std::make_shared<Counter>();
  RerunCheck check(run, counter);
  check.runStarted(run.header);
  QVERIFY(check.verdict().starts_with("the run ended before its first step"));
  for (const auto& step : run.steps) {
    StepRecord again = *step;
    again.milliseconds = 12345.0;
    again.factors = std::make_shared<const PatchFactors>();
    check.stepTaken(std::make_shared<const StepRecord>(again));
  }
  QCOMPARE(counter->calls, 3);
  QVERIFY(check.same());
  QCOMPARE(check.verdict(), std::string("all 2 steps that both runs have are the same to "
                                        "the last bit"));
  // Steps of the rerun beyond the recorded run are not compared.
  check.stepTaken(run.steps[0]);
  QVERIFY(check.verdict().starts_with("all 2 steps"));
}

void tst_rerun::notANumberEqualsItself() {
  const double nan = std::nan("");
  StoredRun run = test::smallRun();
  StepRecord step = *run.steps[0];
  step.patchedDistance = {.linf = nan, .tvd = nan, .kl = nan};
  step.bareDistance = step.noise = step.patchedDistance;
  step.layerNoise = step.layerRounding = {nan};
  step.patched[0].probability = nan;
  step.layers[0].hiddenError = step.layers[0].matrices[0].norm = nan;
  step.layers[0].scaleDelta = {std::nanf("")};
  run.steps[0] = std::make_shared<const StepRecord>(step);
  QVERIFY(sameResults(step, step));
  RerunCheck same(run, std::make_shared<Counter>());
  same.stepTaken(run.steps[0]);
  QVERIFY2(same.same(), same.verdict().c_str());
  step.layers[0].hiddenError = 1.0;
  RerunCheck other(run, std::make_shared<Counter>());
  other.stepTaken(std::make_shared<const StepRecord>(step));
  QVERIFY(!other.same());
}

void tst_rerun::theFirstDifferenceIsNamed() {
  const StoredRun run = test::smallRun();
  const auto changed = [&](auto change) {
    RerunCheck check(run, std::make_shared<Counter>());
    check.stepTaken(run.steps[0]);
    StepRecord again = *run.steps[1];
    change(again);
    check.stepTaken(std::make_shared<const StepRecord>(again));
    if (check.same()) return QString();
    return QString::fromStdString(check.verdict());
  };
  const QString effect = changed([](StepRecord& step) {
    step.layers[1].effect = std::nextafter(step.layers[1].effect, 1.0);
  });
  QVERIFY2(effect.contains("step 1 differs: the same token"), qPrintable(effect));
  const QString token = changed([](StepRecord& step) {
    step.token = TokenId(3);
    step.tokenText = "other";
  });
  QVERIFY2(token.contains("steps before step 1 equal") &&
               token.contains("another token, \"other\" instead of"),
           qPrintable(token));
  RerunCheck first(run, std::make_shared<Counter>());
  StepRecord other = *run.steps[0];
  other.patchedDistance.linf += 1.0;
  first.stepTaken(std::make_shared<const StepRecord>(other));
  QVERIFY(first.verdict().starts_with("step 0 differs: the same token, L∞ "));
}

void tst_rerun::differencesAreDescribedInWords() {
  StepRecord then = *test::smallRun().steps[0], now = then;
  then.patchedDistance.linf = 0.0312847;
  now.patchedDistance.linf = 0.0312852;
  QCOMPARE(differenceInWords(then, now),
           std::string("the same token, L∞ 0.03129 instead of 0.03128"));
  then.patchedDistance.linf = now.patchedDistance.linf = std::nan("");
  QCOMPARE(differenceInWords(then, now),
           std::string("the same token and L∞, but other recorded values"));
}

EQUIPATCH_TEST(tst_rerun)
#include "tst_rerun.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lab/regression.h"
#include "core/toy/block_stack.h"
#include "core/toy/in_context_regression.h"
#include "core/toy/training.h"
#include "tests/core/lab/lab_run.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

LabSettings tinySettings() {
  LabSettings settings(regressionSettings(), LabPreset::Quick);
  for (const auto& [name, value] : test::tiny()) settings.set(name, value);
  return settings;
}

}  // namespace

class tst_regression : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void thePapersModelHasThePapersSizes();
  void seedsAndStreamsGiveDifferentTasks();
  void defaultsAreReplacedAndSettingsDropped();
  void headsMustDivideTheWidth();
  void theTrainingLossIsPlotted();

  void settingsDecideTheSizesOfTheStack();
  void headsMustDivideTheWidthOfAStack();

  void updateChangeIsPlottedForEachPair();
};

void tst_regression::thePapersModelHasThePapersSizes() {
  const LabSettings paper(regressionSettings(), LabPreset::Paper);
  const auto layer = makeAttention(paper, 0);
  QCOMPARE(layer->attention().W_q.sizes(), (at::IntArrayRef{32, 3}));
  const auto model = makeModel(makeAttention(paper, 0), paper, 0);
  QCOMPARE(model->mlp().W_in.sizes(), (at::IntArrayRef{128, 32}));
  QCOMPARE(model->mlp().W_down.sizes(), (at::IntArrayRef{3, 128}));
  const toy::TrainingPlan plan = trainingPlan(paper, 0);
  QCOMPARE(plan.batch.pairs, std::int64_t{100});
  QVERIFY(plan.dtype == at::kFloat);
}

void tst_regression::seedsAndStreamsGiveDifferentTasks() {
  const LabSettings settings = tinySettings();
  QVERIFY(
      evaluationTasks(settings, 1).columns.equal(evaluationTasks(settings, 1).columns));
  QVERIFY(
      !evaluationTasks(settings, 1).columns.equal(evaluationTasks(settings, 2).columns));
  QVERIFY(randomStream(1, LabStream::Training).next() !=
          randomStream(1, LabStream::Evaluation).next());
  // Training and evaluation tasks differ.
  Random first(trainingPlan(settings, 1).seed, 0);
  const auto trained = toy::sampleTasks(first, taskShape(settings, 5), at::kDouble);
  QVERIFY(!trained.columns.equal(evaluationTasks(settings, 1).columns));
}

void tst_regression::defaultsAreReplacedAndSettingsDropped() {
  std::vector<LabSetting> settings = regressionSettings();
  setDefault(settings, "pairs", std::int64_t{5}, std::int64_t{6});
  drop(settings, "heads");
  QCOMPARE(LabSettings(settings, LabPreset::Quick).count("pairs"), std::int64_t{5});
  QCOMPARE(LabSettings(settings, LabPreset::Paper).count("pairs"), std::int64_t{6});
  QVERIFY_ERROR(LabSettings(settings, LabPreset::Quick).count("heads"), "heads");
}

void tst_regression::headsMustDivideTheWidth() {
  LabSettings settings = tinySettings();
  settings.set("heads", "3");
  QVERIFY_ERROR(makeAttention(settings, 1), "width", "multiple of the 3 heads", "8");
}

void tst_regression::theTrainingLossIsPlotted() {
  const LabResult result = test::runLab("convergence", test::tiny());
  const LabCurve& curve = test::panel(result, "Training loss").curves.at(0);
  QCOMPARE(curve.x.size(), 12u);
  QCOMPARE(curve.x.back(), 12.0);
}

void tst_regression::settingsDecideTheSizesOfTheStack() {
  const LabSettings paper(stackSettings(), LabPreset::Paper);
  const auto stack = makeStack(paper, 1);
  QCOMPARE(stack->blocks().size(), 10u);
  QCOMPARE(stack->blocks()[9].mlp().W_in.sizes(), (at::IntArrayRef{128, 32}));
  QCOMPARE(stack->embed(at::zeros({4, 3})).sizes(), (at::IntArrayRef{4, 32}));
}

void tst_regression::headsMustDivideTheWidthOfAStack() {
  LabSettings settings(stackSettings(), LabPreset::Quick);
  settings.set("heads", "5");
  QVERIFY_ERROR(makeStack(settings, 1), "multiple of the 5 heads");
}

void tst_regression::updateChangeIsPlottedForEachPair() {
  const LabResult result = test::runLab("convergence", test::tiny());
  const LabCurve& steps =
      test::panel(result, "Change of ΔW with each further pair").curves.at(0);
  QCOMPARE(steps.x.size(), 8u);
  QCOMPARE(steps.x.front(), 0.0);
  QCOMPARE(steps.error.size(), 8u);
  QCOMPARE(steps.y.front(), test::scalar(result, "change of ΔW by the first pair"));
  QCOMPARE(steps.y.back(), test::scalar(result, "change of ΔW by the last pair"));
  // Attention's output is a weighted mean, which the i-th pair moves by about 1/i.
  QVERIFY(steps.y.back() < 0.7 * steps.y.front());
}

EQUIPATCH_TEST(tst_regression)
#include "tst_regression.moc"

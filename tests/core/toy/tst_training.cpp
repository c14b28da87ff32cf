// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/toy/training.h"

#include "core/toy/in_context_regression.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::toy;

namespace {

constexpr TrainingPlan kPlan{.batch = {.tasks = 16, .pairs = 10},
                             .steps = 150,
                             .rate = 5e-3,
                             .seed = 4,
                             .dtype = at::kDouble};

InContextModel smallModel() {
  Random random(9);
  auto layer = std::make_unique<AttentionLayer>(
      AttentionShape{.inputs = 3, .width = 8, .heads = 2}, random, at::kDouble);
  return {std::move(layer),
          Mlp({.inputs = 8, .hidden = 16, .outputs = 3}, random, at::kDouble)};
}

}  // namespace

class tst_training : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void lowersTheLoss();
  void theSeedDeterminesTheTraining();
  void theRateWarmsUp();
  void anInfiniteLossIsNamed();
};

void tst_training::lowersTheLoss() {
  const InContextModel model = smallModel();
  Random random(1);
  const LinearTasks unseen =
      sampleTasks(random, {.tasks = 200, .pairs = 10}, at::kDouble);
  const double before = model.loss(unseen).item<double>();
  Training training(
      model.parameters(), [&](const LinearTasks& tasks) { return model.loss(tasks); },
      kPlan);
  while (!training.done()) training.step();
  QCOMPARE(training.taken(), std::int64_t{150});
  QVERIFY(model.loss(unseen).item<double>() < 0.7 * before);
}

void tst_training::theSeedDeterminesTheTraining() {
  std::vector<double> losses;
  for (const std::uint64_t seed : {kPlan.seed, kPlan.seed, kPlan.seed + 1}) {
    const InContextModel model = smallModel();
    TrainingPlan plan = kPlan;
    plan.seed = seed;
    Training training(
        model.parameters(), [&](const LinearTasks& tasks) { return model.loss(tasks); },
        plan);
    for (int step = 0; step < 5; ++step) losses.push_back(training.step());
  }
  for (std::size_t step = 0; step < 5; ++step) QCOMPARE(losses[step], losses[step + 5]);
  QVERIFY(losses[0] != losses[1]);
  QVERIFY(losses[0] != losses[10]);
}

void tst_training::theRateWarmsUp() {
  // Adam's first step has the length of the rate.
  TrainingPlan plan = kPlan;
  plan.warmup = 10;
  const Tensor parameter = at::zeros({1}, at::kDouble).requires_grad_(true);
  Training training(
      {parameter}, [&](const LinearTasks&) { return parameter.sum(); }, plan);
  training.step();
  QVERIFY(std::abs(parameter.item<double>() + plan.rate / 10.0) < 1e-8);
}

void tst_training::anInfiniteLossIsNamed() {
  const Tensor parameter = at::ones({1}, at::kDouble).requires_grad_(true);
  Training training(
      {parameter}, [&](const LinearTasks&) { return (parameter / 0.0).sum(); }, kPlan);
  QVERIFY_ERROR(training.step(), "not finite at step 1", "smaller learning rate");
}

EQUIPATCH_TEST(tst_training)
#include "tst_training.moc"

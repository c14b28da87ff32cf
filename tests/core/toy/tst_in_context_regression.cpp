// SPDX-License-Identifier: GPL-3.0-or-later
#include <Eigen/Dense>

#include "core/toy/contextual_layer.h"
#include "core/toy/in_context_regression.h"
#include "tests/core/toy/oracle.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::toy;

class tst_in_context_regression : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void pairsAndAnswerHaveOneWeight();
  void samplesAreStandardNormal();

  void theUpdateReplacesTheContext();
  void withoutTheUpdateAnswersDiffer();
  void theLossIsTheMeanSquare();

 private:
  static InContextModel model(std::uint64_t seed) {
    Random random(seed);
    auto layer = std::make_unique<AttentionLayer>(
        AttentionShape{.inputs = 4, .width = 12, .heads = 3}, random, at::kDouble);
    return {std::move(layer),
            Mlp({.inputs = 12, .hidden = 20, .outputs = 4}, random, at::kDouble)};
  }
  static LinearTasks tasks(std::uint64_t seed) {
    Random random(seed);
    return sampleTasks(random, {.tasks = 16, .pairs = 11, .dimension = 3}, at::kDouble);
  }
};

void tst_in_context_regression::pairsAndAnswerHaveOneWeight() {
  Random random(5);
  const LinearTasks tasks =
      sampleTasks(random, {.tasks = 4, .pairs = 9, .dimension = 3}, at::kDouble);
  QCOMPARE(tasks.columns.sizes(), (at::IntArrayRef{4, 10, 4}));
  for (std::int64_t task = 0; task < 4; ++task) {
    const Eigen::MatrixXd columns = test::toEigen(tasks.columns[task]);
    const Eigen::MatrixXd x = columns.topLeftCorner(9, 3);
    const Eigen::VectorXd y = columns.col(3).head(9);
    const Eigen::VectorXd omega = x.colPivHouseholderQr().solve(y);
    QVERIFY((x * omega - y).norm() < 1e-12);
    QCOMPARE(columns(9, 3), 0.0);
    const double answer = columns.row(9).head(3) * omega;
    QVERIFY(std::abs(answer - tasks.answers[task].item<double>()) < 1e-12);
  }
}

void tst_in_context_regression::samplesAreStandardNormal() {
  Random random(6);
  const LinearTasks tasks = sampleTasks(random, {.tasks = 400, .pairs = 50}, at::kDouble);
  const Tensor x = tasks.columns.slice(2, 0, 2);
  QVERIFY(std::abs(x.mean().item<double>()) < 0.03);
  QVERIFY(std::abs(x.var().item<double>() - 1.0) < 0.03);
  // y = ⟨ω, x⟩ with d = 2 elements each has variance 2.
  QVERIFY(std::abs(tasks.answers.var().item<double>() - 2.0) < 0.6);
}

void tst_in_context_regression::theUpdateReplacesTheContext() {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto each = model(seed);
    const LinearTasks drawn = tasks(seed);
    QVERIFY(each.predictPatched(drawn.columns)
                .allclose(each.predict(drawn.columns), 0, 1e-12));
  }
}

void tst_in_context_regression::withoutTheUpdateAnswersDiffer() {
  const auto each = model(1);
  const LinearTasks drawn = tasks(1);
  const Tensor bare = each.answer(each.layer().alone(drawn.columns));
  QVERIFY((bare - each.predict(drawn.columns)).abs().min().item<double>() > 1e-6);
}

void tst_in_context_regression::theLossIsTheMeanSquare() {
  const auto each = model(2);
  const LinearTasks drawn = tasks(2);
  const Tensor missed = each.predict(drawn.columns) - drawn.answers;
  QVERIFY(each.loss(drawn).allclose((missed * missed).sum() / 16.0, 0, 1e-14));
}

EQUIPATCH_TEST(tst_in_context_regression)
#include "tst_in_context_regression.moc"

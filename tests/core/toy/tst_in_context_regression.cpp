// SPDX-License-Identifier: GPL-3.0-or-later
#include <Eigen/Dense>

#include "core/toy/in_context_regression.h"
#include "core/toy/layers.h"
#include "tests/core/toy/oracle.h"
#include "tests/support/test_case.h"

using namespace equipatch::toy;
using namespace equipatch;

namespace {

struct AttentionCase {
  Random random{1};
  AttentionLayer layer{{.inputs = 3, .width = 8, .heads = 2}, random, at::kDouble};
  Tensor columns = normalSamples(random, {4, 6, 3}, at::kDouble);

  Tensor context(std::int64_t from, std::int64_t to) const {
    return at::cat({columns.slice(1, from, to), columns.slice(1, -1)}, 1);
  }
};

struct RecurrentCase {
  RecurrentCase() {
    const at::NoGradGuard noGradients;
    layer.b_x.copy_(normalSamples(random, {5}, at::kDouble));
    layer.b_s.copy_(normalSamples(random, {5}, at::kDouble));
  }

  Random random{1};
  RecurrentLayer layer{3, 5, random, at::kDouble};
  Tensor columns = normalSamples(random, {2, 6, 3}, at::kDouble);
};

}  // namespace

class tst_in_context_regression : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void pairsAndAnswerShareOneWeightVector();
  void sampledInputsAreStandardNormal();

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

 private Q_SLOTS:
  void attentionOverPrefixesEqualsSeparateRuns();
  void attentionOverSuffixesEqualsSeparateRuns();

  void recurrentLayerEqualsTheRecurrence();
  void recurrenceOverPrefixesEqualsSeparateRuns();
};

void tst_in_context_regression::pairsAndAnswerShareOneWeightVector() {
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

void tst_in_context_regression::sampledInputsAreStandardNormal() {
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

void tst_in_context_regression::attentionOverPrefixesEqualsSeparateRuns() {
  const AttentionCase each;
  const Tensor prefixes = each.layer.withPrefixes(each.columns);
  QCOMPARE(prefixes.sizes(), (at::IntArrayRef{4, 6, 8}));
  for (std::int64_t i = 0; i < 6; ++i)
    QVERIFY(prefixes.select(1, i).allclose(each.layer.withContext(each.context(0, i)), 0,
                                           1e-14));
  const ContextualLayer& layer = each.layer;
  QVERIFY(prefixes.select(1, 0).allclose(layer.alone(each.columns), 0, 1e-14));
}

void tst_in_context_regression::attentionOverSuffixesEqualsSeparateRuns() {
  const AttentionCase each;
  const Tensor suffixes = each.layer.withSuffixes(each.columns);
  for (std::int64_t i = 0; i < 6; ++i)
    QVERIFY(suffixes.select(1, i).allclose(each.layer.withContext(each.context(i, 5)), 0,
                                           1e-14));
}

void tst_in_context_regression::recurrentLayerEqualsTheRecurrence() {
  const RecurrentCase each;
  using test::toEigen;
  const Tensor out = each.layer.withContext(each.columns);
  for (std::int64_t task = 0; task < 2; ++task) {
    Eigen::MatrixXd state = Eigen::VectorXd::Zero(5);
    for (std::int64_t token = 0; token < 6; ++token)
      state = (toEigen(each.layer.W_s) * state +
               toEigen(each.layer.W_x) * toEigen(each.columns[task][token]) +
               toEigen(each.layer.b_x) + toEigen(each.layer.b_s))
                  .array()
                  .tanh();
    QVERIFY(test::difference(toEigen(out[task]), state) < 1e-13);
  }
}

void tst_in_context_regression::recurrenceOverPrefixesEqualsSeparateRuns() {
  const RecurrentCase each;
  const Tensor prefixes = each.layer.withPrefixes(each.columns);
  QCOMPARE(prefixes.sizes(), (at::IntArrayRef{2, 6, 5}));
  for (std::int64_t i = 0; i < 6; ++i) {
    const Tensor context =
        at::cat({each.columns.slice(1, 0, i), each.columns.slice(1, -1)}, 1);
    QVERIFY(prefixes.select(1, i).allclose(each.layer.withContext(context), 0, 1e-14));
  }
}

EQUIPATCH_TEST(tst_in_context_regression)
#include "tst_in_context_regression.moc"

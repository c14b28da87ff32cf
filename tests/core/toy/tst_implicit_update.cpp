// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/toy/implicit_update.h"

#include "core/toy/in_context_regression.h"
#include "core/toy/layers.h"
#include "tests/core/toy/oracle.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::toy;
using equipatch::test::toEigen;

namespace {

constexpr std::int64_t kPairs = 13;

/// A random attention layer, the projection W after it, and some prompts.
struct UpdateCase {
  explicit UpdateCase(std::uint64_t seed) : random(seed) {}

  Random random;
  AttentionLayer layer{{.inputs = 3, .width = 8, .heads = 2}, random, at::kDouble};
  Tensor W = normalSamples(random, {10, 8}, at::kDouble);
  Tensor columns =
      sampleTasks(random, {.tasks = 3, .pairs = kPairs}, at::kDouble).columns;
};

}  // namespace

class tst_implicit_update : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void equalsTheoremTwoPointTwo();
  void updateStepsAreNormsOfDifferences();
  void gradientDescentGivesTheImplicitUpdate();
  void factorisedUpdatesAbsorbOneTokenEach();
  void alignmentIsACosine();
};

/// Theorem 2.2 of [D].
void tst_implicit_update::equalsTheoremTwoPointTwo() {
  const UpdateCase each(1);
  const Tensor z = each.layer.alone(each.columns);
  const Tensor z_C = each.layer.withContext(each.columns);
  const Tensor update = implicitUpdate(each.W, z_C, z);
  const Eigen::MatrixXd W = toEigen(each.W);
  for (std::int64_t task = 0; task < 3; ++task) {
    const Eigen::VectorXd with = toEigen(z_C[task]), without = toEigen(z[task]);
    const Eigen::MatrixXd printed =
        W * (with - without) * without.transpose() / without.squaredNorm();
    QVERIFY(test::difference(toEigen(update[task]), printed) < 1e-13);
    const Eigen::VectorXd patched = (W + printed) * without;
    QVERIFY(test::difference(patched, Eigen::VectorXd(W * with)) < 1e-12);
  }
}

void tst_implicit_update::updateStepsAreNormsOfDifferences() {
  const UpdateCase each(2);
  const Tensor prefixes = each.layer.withPrefixes(each.columns);
  const Tensor updates = implicitUpdate(each.W, prefixes, prefixes.slice(1, 0, 1));
  const Tensor steps = updateSteps(each.W, prefixes);
  QCOMPARE(steps.sizes(), (at::IntArrayRef{3, kPairs}));
  for (std::int64_t i = 0; i < kPairs; ++i) {
    const Eigen::MatrixXd difference =
        toEigen(updates[1][i + 1]) - toEigen(updates[1][i]);
    QVERIFY(std::abs(steps[1][i].item<double>() - difference.norm()) < 1e-13);
  }
}

void tst_implicit_update::gradientDescentGivesTheImplicitUpdate() {
  const UpdateCase each(3);
  const Tensor prefixes = each.layer.withPrefixes(each.columns)[0].detach();
  const Tensor descended = gradientDescent(each.W, prefixes);
  const Tensor implicit =
      each.W + implicitUpdate(each.W, prefixes, prefixes.slice(0, 0, 1));
  QCOMPARE(descended.sizes(), implicit.sizes());
  QVERIFY(descended.allclose(implicit, 0, 1e-12));
  QVERIFY((descended[kPairs] - each.W).abs().max().item<double>() > 1e-3);
}

void tst_implicit_update::factorisedUpdatesAbsorbOneTokenEach() {
  const UpdateCase each(4);
  const Tensor suffixes = each.layer.withSuffixes(each.columns);
  const Tensor updates = factorisedUpdates(each.W, suffixes);
  const Eigen::MatrixXd W = toEigen(each.W);
  const Eigen::VectorXd whole = W * toEigen(suffixes[2][0]);
  Eigen::MatrixXd product = W;
  for (std::int64_t i = 1; i <= kPairs; ++i) {
    const Eigen::VectorXd left = toEigen(suffixes[2][i]);
    const Eigen::VectorXd removed = Eigen::VectorXd(toEigen(suffixes[2][i - 1])) - left;
    product = product * (Eigen::MatrixXd::Identity(8, 8) +
                         removed * left.transpose() / left.squaredNorm());
    QVERIFY(test::difference(toEigen(updates[2][i]), product) < 1e-12);
    QVERIFY(test::difference(Eigen::VectorXd(product * left), whole) < 1e-12);
  }
}

void tst_implicit_update::alignmentIsACosine() {
  const UpdateCase each(5);
  QVERIFY(std::abs(alignment(each.W, -3.0 * each.W).item<double>() + 1.0) < 1e-14);
  const Tensor a = at::tensor({1.0, 0.0, 0.0, 1.0}, at::kDouble).view({2, 2});
  const Tensor b = at::tensor({1.0, 1.0, 0.0, 0.0}, at::kDouble).view({2, 2});
  QVERIFY(std::abs(alignment(a, b).item<double>() - 0.5) < 1e-15);
}

EQUIPATCH_TEST(tst_implicit_update)
#include "tst_implicit_update.moc"

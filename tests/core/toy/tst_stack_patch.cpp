#include "core/toy/stack_patch.h"

#include "core/toy/initial_values.h"
#include "tests/core/toy/oracle.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::toy;

namespace {

/// A random stack, and some sequences with their context.
struct StackCase {
  explicit StackCase(std::uint64_t seed) : random(seed) {}

  Random random;
  BlockStack stack{{.blocks = 5, .columnSize = 3, .width = 8, .heads = 2, .hidden = 12},
                   random,
                   at::kDouble};
  Tensor columns = normalDraws(random, {3, 7, 3}, at::kDouble);
  StackSites sites = contextualSites(stack, columns);

  PatchedStack everyToken() const {
    std::vector<Tensor> mids;
    for (const Tensor& mid : sites.mids) mids.push_back(mid.flatten(0, 1));
    return patchedStack(stack, columns.flatten(0, 1), mids);
  }
};

}  // namespace

class tst_stack_patch : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void everyTokenOfEveryBlockIsRestored();
  void updatesAreThoseOfTheorem();
  void theFirstTokenNeedsNone();
};

void tst_stack_patch::everyTokenOfEveryBlockIsRestored() {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const StackCase each(seed);
    const PatchedStack patched = each.everyToken();
    for (std::size_t block = 0; block < 5; ++block)
      QVERIFY(
          patched.outs[block].allclose(each.sites.outs[block].flatten(0, 1), 0, 1e-11));
  }
}

void tst_stack_patch::updatesAreThoseOfTheorem() {
  const StackCase each(1);
  const PatchedStack patched = each.everyToken();
  using test::toEigen;
  const std::int64_t row = 13;
  for (std::size_t block = 0; block < 5; ++block) {
    const StackBlock& here = each.stack.blocks()[block];
    const Tensor x = block == 0 ? each.stack.embed(each.columns.flatten(0, 1))
                                : patched.outs[block - 1];
    const Eigen::VectorXd v = toEigen(here.midAlone(x)[row]);
    const Eigen::VectorXd v_C = toEigen(each.sites.mids[block].flatten(0, 1)[row]);
    const Eigen::MatrixXd printed =
        toEigen(here.mlp().W_in) * (v_C - v) * v.transpose() / v.squaredNorm();
    const BlockUpdate& update = patched.updates[block];
    const Eigen::MatrixXd made =
        toEigen(update.u[row]) * toEigen(update.w[row]).transpose();
    QVERIFY(test::difference(made, printed) < 1e-12);
    QVERIFY(test::difference(toEigen(update.bias[row]), Eigen::MatrixXd(v_C - v)) <
            1e-12);
  }
}

void tst_stack_patch::theFirstTokenNeedsNone() {
  const StackCase each(2);
  const PatchedStack patched = each.everyToken();
  for (const BlockUpdate& update : patched.updates) {
    QVERIFY(update.bias[0].abs().max().item<double>() < 1e-12);
    QVERIFY(update.bias[3].abs().max().item<double>() > 1e-6);
  }
}

EQUIPATCH_TEST(tst_stack_patch)
#include "tst_stack_patch.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/toy/block_stack.h"
#include "core/toy/layers.h"
#include "tests/core/toy/oracle.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::toy;

namespace {

constexpr AttentionShape kStackShape{.inputs = 8, .width = 8, .heads = 2};

BlockStack smallStack() {
  Random random(3);
  return {{.blocks = 3, .columnSize = 3, .width = 8, .heads = 2, .hidden = 12},
          random,
          at::kDouble};
}

/// A random stack, and some sequences with their contexts.
struct StackCase {
  explicit StackCase(std::uint64_t seed) : random(seed) {}

  Random random;
  BlockStack stack{{.blocks = 5, .columnSize = 3, .width = 8, .heads = 2, .hidden = 12},
                   random,
                   at::kDouble};
  Tensor columns = normalSamples(random, {3, 7, 3}, at::kDouble);
  StackSites sites = contextualSites(stack, columns);

  PatchedStack everyToken() const {
    std::vector<Tensor> mids;
    for (const Tensor& mid : sites.mids) mids.push_back(mid.flatten(0, 1));
    return patchedStack(stack, columns.flatten(0, 1), mids);
  }
};

}  // namespace

class tst_block_stack : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void layerNormEqualsItsFormula();
  void attentionIsCausal();
  void aSingleTokenAttendsToItself();
  void theAnswerComesFromTheLastToken();
  void everyParameterIsTrained();

  void everyTokenOfEveryBlockIsRestored();
  void updatesEqualTheTheoremsFormula();
  void theFirstTokensBiasUpdateIsZero();
};

void tst_block_stack::layerNormEqualsItsFormula() {
  LayerNorm norm(8, at::kDouble);
  const at::NoGradGuard noGradients;
  norm.scale.fill_(2.0);
  norm.bias.fill_(0.5);
  Random random(1);
  const Tensor x = normalSamples(random, {8}, at::kDouble);
  const Eigen::ArrayXd raw = test::toEigen(x).array();
  const Eigen::ArrayXd centred = raw - raw.mean();
  const Eigen::ArrayXd expected =
      2.0 * centred / std::sqrt(centred.square().mean() + 1e-5) + 0.5;
  QVERIFY(test::difference(test::toEigen(norm.forward(x)).array().eval(), expected) <
          1e-13);
}

void tst_block_stack::attentionIsCausal() {
  Random random(2);
  const StackBlock block(kStackShape, 12, random, at::kDouble);
  const Tensor x = normalSamples(random, {2, 5, 8}, at::kDouble);
  const Tensor v = block.mid(x);
  for (std::int64_t length = 1; length <= 5; ++length)
    QVERIFY(block.mid(x.slice(1, 0, length)).allclose(v.slice(1, 0, length), 0, 1e-13));
  Tensor changed = x.clone();
  changed.select(1, 0).add_(1.0);
  QVERIFY(!block.mid(changed).select(1, 4).allclose(v.select(1, 4), 0, 1e-6));
}

void tst_block_stack::aSingleTokenAttendsToItself() {
  Random random(4);
  const StackBlock block(kStackShape, 12, random, at::kDouble);
  const Tensor x = normalSamples(random, {6, 8}, at::kDouble);
  QVERIFY(block.midAlone(x).allclose(block.mid(x.unsqueeze(1)).squeeze(1), 0, 1e-14));
  const Tensor v = block.midAlone(x);
  QVERIFY(block.out(v).allclose(block.outFrom(v, block.mlp().forward(v)), 0, 0));
}

void tst_block_stack::theAnswerComesFromTheLastToken() {
  const BlockStack stack = smallStack();
  Random random(5);
  const Tensor columns = normalSamples(random, {4, 6, 3}, at::kDouble);
  Tensor x = stack.embed(columns);
  for (const StackBlock& block : stack.blocks()) x = block.out(block.mid(x));
  QVERIFY(stack.predict(columns).allclose(stack.answer(x).select(1, -1), 0, 1e-14));
}

void tst_block_stack::everyParameterIsTrained() {
  const BlockStack stack = smallStack();
  Random random(6);
  stack.predict(normalSamples(random, {4, 6, 3}, at::kDouble)).square().sum().backward();
  QCOMPARE(stack.parameters().size(), std::size_t{2 + 3 * (4 + 2 + 4 + 2)});
  for (const Tensor& parameter : stack.parameters())
    QVERIFY(parameter.grad().defined() &&
            parameter.grad().abs().max().item<double>() > 0.0);
}

void tst_block_stack::everyTokenOfEveryBlockIsRestored() {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const StackCase each(seed);
    const PatchedStack patched = each.everyToken();
    for (std::size_t block = 0; block < 5; ++block)
      QVERIFY(
          patched.outs[block].allclose(each.sites.outs[block].flatten(0, 1), 0, 1e-11));
  }
}

void tst_block_stack::updatesEqualTheTheoremsFormula() {
  const StackCase each(1);
  const PatchedStack patched = each.everyToken();
  using test::toEigen;
  const std::int64_t row = 13;  // the last token of the second sequence
  for (std::size_t block = 0; block < 5; ++block) {
    const StackBlock& here = each.stack.blocks()[block];
    const Tensor x = block == 0 ? each.stack.embed(each.columns.flatten(0, 1))
                                : patched.outs[block - 1];
    const Eigen::VectorXd v = toEigen(here.midAlone(x)[row]);
    const Eigen::VectorXd v_C = toEigen(each.sites.mids[block].flatten(0, 1)[row]);
    const Eigen::MatrixXd printed =
        toEigen(here.mlp().W_in) * (v_C - v) * v.transpose() / v.squaredNorm();
    const BlockPatch& update = patched.updates[block];
    const Eigen::MatrixXd made =
        toEigen(update.u[row]) * toEigen(update.w[row]).transpose();
    QVERIFY(test::difference(made, printed) < 1e-12);
    QVERIFY(test::difference(toEigen(update.bias[row]), Eigen::MatrixXd(v_C - v)) <
            1e-12);
  }
}

void tst_block_stack::theFirstTokensBiasUpdateIsZero() {
  const StackCase each(2);
  const PatchedStack patched = each.everyToken();
  for (const BlockPatch& update : patched.updates) {
    QVERIFY(update.bias[0].abs().max().item<double>() < 1e-12);
    QVERIFY(update.bias[3].abs().max().item<double>() > 1e-6);
  }
}

EQUIPATCH_TEST(tst_block_stack)
#include "tst_block_stack.moc"

#include "core/toy/block_stack.h"

#include "core/toy/initial_values.h"
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

}  // namespace

class tst_block_stack : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void normsAreLayerNorms();
  void tokensSeeWhatIsBeforeThem();
  void aLoneTokenSeesItself();
  void theAnswerIsThatOfTheLastToken();
  void everyParameterIsTrained();
};

void tst_block_stack::normsAreLayerNorms() {
  LayerNorm norm(8, at::kDouble);
  const at::NoGradGuard noGradients;
  norm.scale.fill_(2.0);
  norm.bias.fill_(0.5);
  Random random(1);
  const Tensor x = normalDraws(random, {8}, at::kDouble);
  const Eigen::ArrayXd raw = test::toEigen(x).array();
  const Eigen::ArrayXd centred = raw - raw.mean();
  const Eigen::ArrayXd expected =
      2.0 * centred / std::sqrt(centred.square().mean() + 1e-5) + 0.5;
  QVERIFY(test::difference(test::toEigen(norm.forward(x)).array().eval(), expected) <
          1e-13);
}

void tst_block_stack::tokensSeeWhatIsBeforeThem() {
  Random random(2);
  const StackBlock block(kStackShape, 12, random, at::kDouble);
  const Tensor x = normalDraws(random, {2, 5, 8}, at::kDouble);
  const Tensor v = block.mid(x);
  for (std::int64_t length = 1; length <= 5; ++length)
    QVERIFY(block.mid(x.slice(1, 0, length)).allclose(v.slice(1, 0, length), 0, 1e-13));
  Tensor changed = x.clone();
  changed.select(1, 0).add_(1.0);
  QVERIFY(!block.mid(changed).select(1, 4).allclose(v.select(1, 4), 0, 1e-6));
}

void tst_block_stack::aLoneTokenSeesItself() {
  Random random(4);
  const StackBlock block(kStackShape, 12, random, at::kDouble);
  const Tensor x = normalDraws(random, {6, 8}, at::kDouble);
  QVERIFY(block.midAlone(x).allclose(block.mid(x.unsqueeze(1)).squeeze(1), 0, 1e-14));
  const Tensor v = block.midAlone(x);
  QVERIFY(block.out(v).allclose(block.outFrom(v, block.mlp().forward(v)), 0, 0));
}

void tst_block_stack::theAnswerIsThatOfTheLastToken() {
  const BlockStack stack = smallStack();
  Random random(5);
  const Tensor columns = normalDraws(random, {4, 6, 3}, at::kDouble);
  Tensor x = stack.embed(columns);
  for (const StackBlock& block : stack.blocks()) x = block.out(block.mid(x));
  QVERIFY(stack.predict(columns).allclose(stack.answer(x).select(1, -1), 0, 1e-14));
}

void tst_block_stack::everyParameterIsTrained() {
  const BlockStack stack = smallStack();
  Random random(6);
  stack.predict(normalDraws(random, {4, 6, 3}, at::kDouble)).square().sum().backward();
  QCOMPARE(stack.parameters().size(), std::size_t{2 + 3 * (4 + 2 + 4 + 2)});
  for (const Tensor& parameter : stack.parameters())
    QVERIFY(parameter.grad().defined() &&
            parameter.grad().abs().max().item<double>() > 0.0);
}

EQUIPATCH_TEST(tst_block_stack)
#include "tst_block_stack.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/toy/layers.h"
#include "tests/core/toy/oracle.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::toy;

namespace {

constexpr AttentionShape kShape{.inputs = 3, .width = 12, .heads = 4};

test::AttentionOracle oracleOf(const MultiHeadAttention& attention) {
  return {test::toEigen(attention.W_q), test::toEigen(attention.W_k),
          test::toEigen(attention.W_v), test::toEigen(attention.W_o), kShape.heads};
}

}  // namespace

class tst_layers : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void matricesStayWithinTheirBound();
  void aSeedGivesTheSameValuesInEveryDtype();
  void onlyParametersAreTrained();

  void mlpEqualsTheFormula();
  void rowsCanHaveSeparateMatrices();

  void attentionEqualsTheFormula();
  void attentionIsMasked();
};

void tst_layers::matricesStayWithinTheirBound() {
  Random random(1);
  const Tensor W = initialMatrix(random, 300, 16, at::kDouble);
  QCOMPARE(W.sizes(), (at::IntArrayRef{300, 16}));
  const double largest = W.abs().max().item<double>();
  QVERIFY(largest <= 0.25 && largest > 0.249);
  QVERIFY(std::abs(W.mean().item<double>()) < 0.01);
}

void tst_layers::aSeedGivesTheSameValuesInEveryDtype() {
  Random wide(2), narrow(2);
  const Tensor draws = normalSamples(wide, {3, 4}, at::kDouble);
  QVERIFY(draws.to(at::kFloat).equal(normalSamples(narrow, {3, 4}, at::kFloat)));
}

void tst_layers::onlyParametersAreTrained() {
  Random random(3);
  QVERIFY(initialMatrix(random, 2, 2, at::kFloat).requires_grad());
  QVERIFY(initialVector(2, 1.0, at::kFloat).requires_grad());
  QVERIFY(!normalSamples(random, {2}, at::kFloat).requires_grad());
}

void tst_layers::mlpEqualsTheFormula() {
  Random random(1);
  Mlp mlp({.inputs = 5, .hidden = 9, .outputs = 2}, random, at::kDouble);
  const at::NoGradGuard noGradients;
  mlp.b_in.copy_(normalSamples(random, {9}, at::kDouble));
  mlp.b_down.copy_(normalSamples(random, {2}, at::kDouble));
  const Tensor z = normalSamples(random, {3, 5}, at::kDouble);
  const Tensor out = mlp.forward(z);
  using test::toEigen;
  for (std::int64_t row = 0; row < 3; ++row) {
    const Eigen::MatrixXd h =
        (toEigen(mlp.W_in) * toEigen(z[row]) + toEigen(mlp.b_in)).cwiseMax(0.0);
    QVERIFY(test::difference(toEigen(out[row]),
                             toEigen(mlp.W_down) * h + toEigen(mlp.b_down)) < 1e-13);
  }
}

void tst_layers::rowsCanHaveSeparateMatrices() {
  Random random(2);
  Mlp mlp({.inputs = 5, .hidden = 9, .outputs = 2}, random, at::kDouble);
  const at::NoGradGuard noGradients;
  const Tensor z = normalSamples(random, {3, 5}, at::kDouble);
  const Tensor own = normalSamples(random, {3, 9, 5}, at::kDouble);
  const Tensor out = mlp.forwardWith(own, z);
  for (std::int64_t row = 0; row < 3; ++row) {
    mlp.W_in.copy_(own[row]);
    QVERIFY(out[row].allclose(mlp.forward(z[row]), 0, 1e-14));
  }
}

void tst_layers::attentionEqualsTheFormula() {
  Random random(1);
  const MultiHeadAttention attention(kShape, random, at::kDouble);
  const Tensor tokens = normalSamples(random, {2, 7, 3}, at::kDouble);
  const auto oracle = oracleOf(attention);
  for (const std::int64_t count : {1, 5}) {
    const Tensor queries = normalSamples(random, {2, count, 3}, at::kDouble);
    const Tensor out = attention.forward(queries, tokens);
    QCOMPARE(out.sizes(), (at::IntArrayRef{2, count, 12}));
    for (std::int64_t b = 0; b < 2; ++b)
      for (std::int64_t q = 0; q < count; ++q)
        QVERIFY(test::difference(test::toEigen(out[b][q]),
                                 oracle(test::toEigen(tokens[b]).transpose(),
                                        test::toEigen(queries[b][q]))) < 1e-13);
  }
}

void tst_layers::attentionIsMasked() {
  Random random(2);
  const MultiHeadAttention attention(kShape, random, at::kDouble);
  const Tensor tokens = normalSamples(random, {1, 6, 3}, at::kDouble);
  const Tensor allowed = at::ones({6, 6}, at::kBool).tril();
  const Tensor out = attention.forward(tokens, tokens, allowed);
  const auto oracle = oracleOf(attention);
  const Eigen::MatrixXd all = test::toEigen(tokens[0]).transpose();
  for (std::int64_t q = 0; q < 6; ++q)
    QVERIFY(test::difference(test::toEigen(out[0][q]),
                             oracle(all.leftCols(q + 1), all.col(q))) < 1e-13);
}

EQUIPATCH_TEST(tst_layers)
#include "tst_layers.moc"

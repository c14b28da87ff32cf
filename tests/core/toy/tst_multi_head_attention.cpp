#include "core/toy/multi_head_attention.h"

#include "core/toy/initial_values.h"
#include "tests/core/toy/oracle.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::toy;

class tst_multi_head_attention : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void equalsTheFormulaHeadByHead();
  void seesOnlyWhatIsAllowed();
};

namespace {

constexpr AttentionShape kShape{.inputs = 3, .width = 12, .heads = 4};

test::AttentionOracle oracleOf(const MultiHeadAttention& attention) {
  return {test::toEigen(attention.W_q), test::toEigen(attention.W_k),
          test::toEigen(attention.W_v), test::toEigen(attention.W_o), kShape.heads};
}

}  // namespace

void tst_multi_head_attention::equalsTheFormulaHeadByHead() {
  Random random(1);
  const MultiHeadAttention attention(kShape, random, at::kDouble);
  const Tensor tokens = normalDraws(random, {2, 7, 3}, at::kDouble);
  const Tensor queries = normalDraws(random, {2, 5, 3}, at::kDouble);
  const Tensor out = attention.forward(queries, tokens);
  const auto oracle = oracleOf(attention);
  for (std::int64_t b = 0; b < 2; ++b)
    for (std::int64_t q = 0; q < 5; ++q)
      QVERIFY(test::difference(test::toEigen(out[b][q]),
                               oracle(test::toEigen(tokens[b]).transpose(),
                                      test::toEigen(queries[b][q]))) < 1e-13);
}

void tst_multi_head_attention::seesOnlyWhatIsAllowed() {
  Random random(2);
  const MultiHeadAttention attention(kShape, random, at::kDouble);
  const Tensor tokens = normalDraws(random, {1, 6, 3}, at::kDouble);
  const Tensor allowed = at::ones({6, 6}, at::kBool).tril();
  const Tensor out = attention.forward(tokens, tokens, allowed);
  const auto oracle = oracleOf(attention);
  const Eigen::MatrixXd all = test::toEigen(tokens[0]).transpose();
  for (std::int64_t q = 0; q < 6; ++q)
    QVERIFY(test::difference(test::toEigen(out[0][q]),
                             oracle(all.leftCols(q + 1), all.col(q))) < 1e-13);
}

EQUIPATCH_TEST(tst_multi_head_attention)
#include "tst_multi_head_attention.moc"

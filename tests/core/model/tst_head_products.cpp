// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/attention.h"

#include "tests/core/model/tensor_difference.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

struct Case {
  std::int64_t heads, rows, count, width;
};
// The last two have too many rows for the kernels, so bmm computes them.
constexpr Case kCases[] = {{1, 1, 1, 8},    {1, 4, 300, 256}, {3, 2, 37, 64},
                           {2, 5, 129, 80}, {2, 40, 129, 64}, {1, 33, 7, 24}};

/// Keys or values as the cache returns them: a view of some of its positions.
Tensor kept(const Case& size, at::ScalarType type) {
  return at::randn({size.heads, size.count + 5, size.width}, at::kDouble)
      .to(type)
      .narrow(1, 2, size.count);
}

}  // namespace

class tst_head_products : public test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void headProductsEqualBatchedMatrixProducts_data();
  void headProductsEqualBatchedMatrixProducts();
  void fewRowsOfHeadProductsAreIndependent_data();
  void fewRowsOfHeadProductsAreIndependent();
  void stridedQueriesAndKeysAreReadInOrder();
};

void tst_head_products::headProductsEqualBatchedMatrixProducts_data() {
  QTest::addColumn<int>("type");
  QTest::addColumn<int>("wide");
  for (const at::ScalarType type : {at::kDouble, at::kFloat, at::kBFloat16, at::kHalf})
    QTest::newRow(c10::toString(type))
        << int(type) << int(type == at::kDouble ? at::kDouble : at::kFloat);
}

void tst_head_products::headProductsEqualBatchedMatrixProducts() {
  QFETCH(int, type);
  QFETCH(int, wide);
  at::manual_seed(1);
  const double tolerance = at::ScalarType(wide) == at::kDouble ? 1e-12 : 1e-3;
  for (const Case& size : kCases)
    for (const SummationOrder order :
         {SummationOrder::Standard, SummationOrder::Alternate}) {
      const Tensor matrices = kept(size, at::ScalarType(type));
      const Tensor exact = matrices.to(at::kDouble);
      const auto rows = [&](std::int64_t width) {
        return at::randn({size.heads, size.rows, width}).to(at::ScalarType(wide));
      };
      const Tensor q = rows(size.width), p = rows(size.count);
      const Tensor scores = headScores(q, matrices, order);
      QCOMPARE(scores.scalar_type(), at::ScalarType(wide));
      QVERIFY(test::largestDifference(
                  scores, at::bmm(q.to(at::kDouble), exact.transpose(1, 2))) < tolerance);
      QVERIFY(test::largestDifference(weightedValues(p, matrices, order),
                                      at::bmm(p.to(at::kDouble), exact)) < tolerance);
    }
}

void tst_head_products::fewRowsOfHeadProductsAreIndependent_data() {
  headProductsEqualBatchedMatrixProducts_data();
}

/// A row alone gives the same bits as among other rows, which bmm does not guarantee.
void tst_head_products::fewRowsOfHeadProductsAreIndependent() {
  QFETCH(int, type);
  QFETCH(int, wide);
  at::manual_seed(3);
  const Case size{2, 7, 129, 80};
  const Tensor matrices = kept(size, at::ScalarType(type));
  const auto rows = [&](std::int64_t width) {
    return at::randn({size.heads, size.rows, width}).to(at::ScalarType(wide));
  };
  const Tensor q = rows(size.width), p = rows(size.count);
  constexpr SummationOrder kOrder = SummationOrder::Standard;
  const Tensor scores = headScores(q, matrices, kOrder);
  const Tensor sums = weightedValues(p, matrices, kOrder);
  for (std::int64_t row = 0; row < size.rows; ++row) {
    QVERIFY(at::equal(headScores(q.narrow(1, row, 1), matrices, kOrder),
                      scores.narrow(1, row, 1)));
    QVERIFY(at::equal(weightedValues(p.narrow(1, row, 1), matrices, kOrder),
                      sums.narrow(1, row, 1)));
  }
}

void tst_head_products::stridedQueriesAndKeysAreReadInOrder() {
  at::manual_seed(2);
  const Tensor K = at::randn({2, 9, 16}), rows = at::randn({3, 2, 16}).transpose(0, 1);
  QVERIFY(at::equal(headScores(rows, K, SummationOrder::Standard),
                    headScores(rows.contiguous(), K, SummationOrder::Standard)));
  const Tensor spread = at::randn({2, 16, 9}).transpose(1, 2);  // rows are not contiguous
  QVERIFY(test::largestDifference(headScores(rows, spread, SummationOrder::Standard),
                                  at::bmm(rows, spread.transpose(1, 2)).to(at::kDouble)) <
          1e-4);
}

EQUIPATCH_TEST(tst_head_products)
#include "tst_head_products.moc"

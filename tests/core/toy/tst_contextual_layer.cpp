// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/toy/contextual_layer.h"
#include "core/toy/layers.h"
#include "tests/core/toy/oracle.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::toy;

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

class tst_contextual_layer : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void attentionPrefixesEqualContexts();
  void attentionSuffixesEqualContexts();

  void equalsTheRecurrence();
  void recurrentPrefixesEqualContexts();
};

void tst_contextual_layer::attentionPrefixesEqualContexts() {
  const AttentionCase each;
  const Tensor prefixes = each.layer.withPrefixes(each.columns);
  QCOMPARE(prefixes.sizes(), (at::IntArrayRef{4, 6, 8}));
  for (std::int64_t i = 0; i < 6; ++i)
    QVERIFY(prefixes.select(1, i).allclose(each.layer.withContext(each.context(0, i)), 0,
                                           1e-14));
  const ContextualLayer& layer = each.layer;
  QVERIFY(prefixes.select(1, 0).allclose(layer.alone(each.columns), 0, 1e-14));
}

void tst_contextual_layer::attentionSuffixesEqualContexts() {
  const AttentionCase each;
  const Tensor suffixes = each.layer.withSuffixes(each.columns);
  for (std::int64_t i = 0; i < 6; ++i)
    QVERIFY(suffixes.select(1, i).allclose(each.layer.withContext(each.context(i, 5)), 0,
                                           1e-14));
}

void tst_contextual_layer::equalsTheRecurrence() {
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

void tst_contextual_layer::recurrentPrefixesEqualContexts() {
  const RecurrentCase each;
  const Tensor prefixes = each.layer.withPrefixes(each.columns);
  QCOMPARE(prefixes.sizes(), (at::IntArrayRef{2, 6, 5}));
  for (std::int64_t i = 0; i < 6; ++i) {
    const Tensor context =
        at::cat({each.columns.slice(1, 0, i), each.columns.slice(1, -1)}, 1);
    QVERIFY(prefixes.select(1, i).allclose(each.layer.withContext(context), 0, 1e-14));
  }
}

EQUIPATCH_TEST(tst_contextual_layer)
#include "tst_contextual_layer.moc"

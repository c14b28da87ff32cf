#include "core/toy/attention_layer.h"

#include "core/toy/initial_values.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::toy;

class tst_attention_layer : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void everyPrefixIsAContextOfItsOwn();
  void everySuffixIsAContextOfItsOwn();
};

namespace {

struct AttentionCase {
  Random random{1};
  AttentionLayer layer{{.inputs = 3, .width = 8, .heads = 2}, random, at::kDouble};
  Tensor columns = normalDraws(random, {4, 6, 3}, at::kDouble);

  Tensor context(std::int64_t from, std::int64_t to) const {
    return at::cat({columns.slice(1, from, to), columns.slice(1, -1)}, 1);
  }
};

}  // namespace

void tst_attention_layer::everyPrefixIsAContextOfItsOwn() {
  const AttentionCase each;
  const Tensor prefixes = each.layer.withPrefixes(each.columns);
  QCOMPARE(prefixes.sizes(), (at::IntArrayRef{4, 6, 8}));
  for (std::int64_t i = 0; i < 6; ++i)
    QVERIFY(prefixes.select(1, i).allclose(each.layer.withContext(each.context(0, i)), 0,
                                           1e-14));
  QVERIFY(prefixes.select(1, 0).allclose(each.layer.alone(each.columns), 0, 1e-14));
}

void tst_attention_layer::everySuffixIsAContextOfItsOwn() {
  const AttentionCase each;
  const Tensor suffixes = each.layer.withSuffixes(each.columns);
  for (std::int64_t i = 0; i < 6; ++i)
    QVERIFY(suffixes.select(1, i).allclose(each.layer.withContext(each.context(i, 5)), 0,
                                           1e-14));
}

EQUIPATCH_TEST(tst_attention_layer)
#include "tst_attention_layer.moc"

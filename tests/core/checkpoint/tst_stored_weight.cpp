#include "core/checkpoint/checkpoint.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;

/// What a checkpoint says of its weights, against sums and shapes made by hand.
class tst_stored_weight : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void countsParametersAsByHand();
  void partsOfOneTensor();
};

void tst_stored_weight::countsParametersAsByHand() {
  const auto count = [](const char* name) {
    return Checkpoint::open(test::data("golden") / name).parameterCount();
  };
  // Per layer q + k + v + o + 3 feed-forward matrices + norms.
  QCOMPARE(count("llama2_gqa"), std::int64_t{2 * 192 * 48 + 48 +
                                             3 * (48 * 48 + 16 * 48 + 16 * 48 + 48 * 48 +
                                                  3 * 80 * 48 + 2 * 48)});
  QCOMPARE(count("gpt2"), std::int64_t{192 * 48 + 64 * 48 + 2 * 48 +
                                       3 * (4 * 48 + 4 * (48 * 48 + 48) + 48 * 192 + 192 +
                                            192 * 48 + 48)});
  QCOMPARE(count("gemma3_text"), std::int64_t{192 * 40 + 40 +
                                              7 * (64 * 40 + 16 * 40 + 16 * 40 + 40 * 64 +
                                                   3 * 96 * 40 + 4 * 40 + 2 * 16)});
}

void tst_stored_weight::partsOfOneTensor() {
  const Checkpoint gpt2 = Checkpoint::open(test::data("golden/gpt2"));
  const StoredWeight& value = gpt2.weight("layers.1.W_v");
  QCOMPARE(value.stored.shape, (std::vector<std::int64_t>{48, 144}));
  QCOMPARE(value.shape, (std::vector<std::int64_t>{48, 48}));
  QVERIFY((value.part == TensorPart{.transposed = true, .parts = 3, .index = 2}));
  QVERIFY(value.stored.bytes.data() == gpt2.weight("layers.1.W_q").stored.bytes.data());
  const Checkpoint neox = Checkpoint::open(test::data("golden/gpt_neox"));
  const StoredWeight& bias = neox.weight("layers.2.b_k");
  QCOMPARE(bias.stored.shape, (std::vector<std::int64_t>{192}));
  QCOMPARE(bias.shape, (std::vector<std::int64_t>{64}));
  QVERIFY((bias.part == TensorPart{.groups = 4, .parts = 3, .index = 1}));
}

EQUIPATCH_TEST(tst_stored_weight)
#include "tst_stored_weight.moc"

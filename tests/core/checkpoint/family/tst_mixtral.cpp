#include "tests/core/checkpoint/family/describing.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

class tst_mixtral : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void omittedKeysAreTheClassDefaults();
  void theGoldenFolder();
  void expertCounts();
  void theWindowIsOffUnlessGiven();
  void trainingKeysAreKnown();
};

void tst_mixtral::omittedKeysAreTheClassDefaults() {
  const ModelSpec spec = specOf("mixtral");
  QCOMPARE(sizesOf(spec), std::string("32000 4096 14336 32 32/8 128 131072"));
  QCOMPARE(spec.norm.eps, 1e-5);
  QCOMPARE(spec.layers[0].rope->theta, 1e6);
  QVERIFY(!spec.layers[0].window && !spec.tiedHead);
  QCOMPARE(spec.moe->experts, std::int64_t{8});
  QCOMPARE(spec.moe->active, std::int64_t{2});
  QCOMPARE(spec.moe->expertWidth, std::int64_t{14336});
  QCOMPARE(spec.moe->sharedWidth, std::int64_t{0});
  QVERIFY(spec.moe->normaliseGates);
  QCOMPARE(expertsOf(spec), std::string(32, 'm'));
}

/// In two shards; w1 is the gate, w3 the other factor, w2 comes last.
void tst_mixtral::theGoldenFolder() {
  const ModelDescription golden = goldenOf("mixtral");
  QCOMPARE(golden.spec.moe->experts, std::int64_t{5});
  const std::string experts = "model.layers.1.block_sparse_moe.experts.4.";
  QCOMPARE(stored(golden, "layers.1.experts.4.W_gate"), experts + "w1.weight [64, 48]");
  QCOMPARE(stored(golden, "layers.1.experts.4.W_up"), experts + "w3.weight [64, 48]");
  QCOMPARE(stored(golden, "layers.1.experts.4.W_down"), experts + "w2.weight [48, 64]");
  QCOMPARE(stored(golden, "layers.0.W_router"),
           std::string("model.layers.0.block_sparse_moe.gate.weight [5, 48]"));
  QVERIFY(stored(golden, "layers.1.experts.5.W_gate").empty());
  QVERIFY(stored(golden, "layers.0.W_gate").empty());
  QVERIFY(stored(golden, "layers.0.W_shared_router").empty());
}

void tst_mixtral::expertCounts() {
  const ModelSpec spec =
      specOf("mixtral", {{"num_local_experts", 3}, {"num_experts_per_tok", 3}});
  QCOMPARE(spec.moe->experts, std::int64_t{3});
  QCOMPARE(spec.moe->active, std::int64_t{3});
  QCOMPARE(specOf("mixtral", {{"num_experts", 4}}).moe->experts, std::int64_t{4});
  QVERIFY_ERROR(specOf("mixtral", {{"num_experts", 4}, {"num_local_experts", 8}}),
                "agree");
  QVERIFY_ERROR(specOf("mixtral", {{"num_experts_per_tok", 9}}), "num_experts_per_tok",
                "9", "8 experts");
  QVERIFY_ERROR(specOf("mixtral", {{"num_local_experts", 0}}), "num_local_experts");
  QVERIFY_ERROR(
      specOf("mixtral", {{"num_local_experts", 4096}, {"num_hidden_layers", 1000}}),
      "4096", "1000");
  QVERIFY_ERROR(specOf("mixtral", {{"num_local_experts", INT64_MAX}}),
                "num_local_experts");
}

void tst_mixtral::theWindowIsOffUnlessGiven() {
  QVERIFY(specOf("mixtral", {{"sliding_window", 9}}).layers[1].window == std::int64_t{9});
  QVERIFY(!specOf("mixtral", {{"sliding_window", nullptr}}).layers[1].window);
}

void tst_mixtral::trainingKeysAreKnown() {
  QVERIFY(describe("mixtral", {{"output_router_logits", false},
                               {"router_aux_loss_coef", 0.02},
                               {"router_jitter_noise", 0.0}})
              .unreadKeys.empty());
  QVERIFY_ERROR(specOf("mixtral", {{"scoring_func", "sigmoid"}}), "scoring_func",
                "sigmoid");
}

EQUIPATCH_TEST(tst_mixtral)
#include "tst_mixtral.moc"

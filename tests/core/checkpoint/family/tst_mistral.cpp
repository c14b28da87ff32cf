// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "tests/core/checkpoint/family/describing.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

class tst_mistral : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void mistralOmittedKeysAreTheClassDefaults();
  void mistralGoldenFolderIsRead();
  void mistralWindowIsReadAndNullMeansNone();
  void nullKvHeadsAndHeadDimFollowFromHeads();
  void headDimCanDifferFromWidthPerHead();
  void configKeysAreRead();
  void unsupportedAndInvalidKeysAreRefused();
  void mixtralOmittedKeysAreTheClassDefaults();
  void mixtralGoldenFolderIsRead();
  void expertCountsAreReadAndChecked();
  void mixtralWindowIsReadAndNullMeansNone();
  void trainingKeysAreIgnoredButScoringFuncRefused();
};

void tst_mistral::mistralOmittedKeysAreTheClassDefaults() {
  const ModelSpec spec = specOf("mistral");
  QCOMPARE(sizesOf(spec), std::string("32000 4096 14336 32 32/8 128 131072"));
  QCOMPARE(spec.norm.eps, 1e-6);
  QVERIFY(!spec.norm.storedMinusOne && !spec.norm.scaleBeforeRounding);
  QVERIFY(spec.activation == Activation::Silu && !spec.tiedHead);
  QVERIFY(!spec.queryKeyValueBias && !spec.attentionOutBias && !spec.mlpBias);
  QVERIFY(spec.beginOfSequence == TokenId(1));
  QVERIFY((spec.endOfSequence == std::vector<TokenId>{TokenId(2)}));
  QVERIFY((*spec.layers[0].rope == RopeSpec{.theta = 10000.0, .dims = 128}));
}

void tst_mistral::mistralGoldenFolderIsRead() {
  const ModelDescription golden = goldenOf("mistral_swa");
  QCOMPARE(sizesOf(golden.spec), std::string("192 48 80 3 4/2 12 128"));
  for (const LayerSpec& layer : golden.spec.layers)
    QVERIFY(layer.window == std::int64_t{5});
  QCOMPARE(stored(golden, "layers.2.W_k"),
           std::string("model.layers.2.self_attn.k_proj.weight [24, 48]"));
}

void tst_mistral::mistralWindowIsReadAndNullMeansNone() {
  QVERIFY(specOf("mistral").layers[31].window == std::int64_t{4096});
  QVERIFY(!specOf("mistral", {{"sliding_window", nullptr}}).layers[0].window);
  QVERIFY(specOf("mistral", {{"sliding_window", 7}}).layers[3].window == std::int64_t{7});
  QVERIFY_ERROR(specOf("mistral", {{"sliding_window", 0}}), "sliding_window");
}

void tst_mistral::nullKvHeadsAndHeadDimFollowFromHeads() {
  QCOMPARE(specOf("mistral", {{"num_key_value_heads", nullptr}}).kvHeads,
           std::int64_t{32});
  QCOMPARE(specOf("mistral", {{"head_dim", nullptr}}).headDim, std::int64_t{128});
}

/// In Mistral Nemo, headDim is less than width / heads.
void tst_mistral::headDimCanDifferFromWidthPerHead() {
  const ModelDescription nemo =
      describe("mistral", {{"hidden_size", 5120}, {"head_dim", 128}});
  QCOMPARE(nemo.spec.headDim, std::int64_t{128});
  QCOMPARE(nemo.spec.layers[0].attentionScale, 1.0 / std::sqrt(128.0));
  QCOMPARE(stored(nemo, "layers.0.W_o"),
           std::string("model.layers.0.self_attn.o_proj.weight [5120, 4096]"));
}

void tst_mistral::configKeysAreRead() {
  QCOMPARE(specOf("mistral", {{"rms_norm_eps", 1e-5}}).norm.eps, 1e-5);
  QCOMPARE(specOf("mistral", {{"rope_theta", 1e6}}).layers[0].rope->theta, 1e6);
  QVERIFY(specOf("mistral", {{"tie_word_embeddings", true}}).tiedHead);
  QVERIFY(specOf("mistral", {{"hidden_act", "gelu"}}).activation ==
          Activation::GeluExact);
}

void tst_mistral::unsupportedAndInvalidKeysAreRefused() {
  QVERIFY_ERROR(specOf("mistral", {{"attention_bias", true}}), "attention_bias");
  QVERIFY_ERROR(specOf("mistral", {{"mlp_bias", true}}), "mlp_bias");
  QVERIFY_ERROR(specOf("mistral", {{"num_attention_heads", 0}}), "num_attention_heads");
}

void tst_mistral::mixtralOmittedKeysAreTheClassDefaults() {
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

/// The checkpoint has two shards. w1 is the gate, w3 the up, w2 the down projection.
void tst_mistral::mixtralGoldenFolderIsRead() {
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

void tst_mistral::expertCountsAreReadAndChecked() {
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

void tst_mistral::mixtralWindowIsReadAndNullMeansNone() {
  QVERIFY(specOf("mixtral", {{"sliding_window", 9}}).layers[1].window == std::int64_t{9});
  QVERIFY(!specOf("mixtral", {{"sliding_window", nullptr}}).layers[1].window);
}

void tst_mistral::trainingKeysAreIgnoredButScoringFuncRefused() {
  QVERIFY(describe("mixtral", {{"output_router_logits", false},
                               {"router_aux_loss_coef", 0.02},
                               {"router_jitter_noise", 0.0}})
              .unreadKeys.empty());
  QVERIFY_ERROR(specOf("mixtral", {{"scoring_func", "sigmoid"}}), "scoring_func",
                "sigmoid");
}

EQUIPATCH_TEST(tst_mistral)
#include "tst_mistral.moc"

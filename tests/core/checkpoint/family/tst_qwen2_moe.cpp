#include "tests/core/checkpoint/family/describing.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

class tst_qwen2_moe : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void omittedKeysAreTheClassDefaults();
  void theGoldenFolder();
  void eachKeyOfMoe();
  void someLayersAreDense();
  void windowsNeedLayerTypes();
};

void tst_qwen2_moe::omittedKeysAreTheClassDefaults() {
  const ModelSpec spec = specOf("qwen2_moe");
  QCOMPARE(sizesOf(spec), std::string("151936 2048 5632 24 16/16 128 32768"));
  QCOMPARE(spec.moe->experts, std::int64_t{60});
  QCOMPARE(spec.moe->active, std::int64_t{4});
  QCOMPARE(spec.moe->expertWidth, std::int64_t{1408});
  QCOMPARE(spec.moe->sharedWidth, std::int64_t{5632});
  QVERIFY(!spec.moe->normaliseGates);
  QVERIFY(spec.queryKeyValueBias && !spec.attentionOutBias);
  QCOMPARE(expertsOf(spec), std::string(24, 'm'));
}

void tst_qwen2_moe::theGoldenFolder() {
  const ModelDescription golden = goldenOf("qwen2_moe");
  const std::string mlp = "model.layers.1.mlp.";
  QCOMPARE(stored(golden, "layers.1.W_router"), mlp + "gate.weight [5, 40]");
  QCOMPARE(stored(golden, "layers.1.experts.4.W_down"),
           mlp + "experts.4.down_proj.weight [40, 32]");
  QCOMPARE(stored(golden, "layers.1.shared.W_up"),
           mlp + "shared_expert.up_proj.weight [56, 40]");
  QCOMPARE(stored(golden, "layers.1.W_shared_router"),
           mlp + "shared_expert_gate.weight [1, 40]");
  QCOMPARE(stored(golden, "layers.0.b_q"),
           std::string("model.layers.0.self_attn.q_proj.bias [40]"));
  QVERIFY(!golden.spec.moe->normaliseGates);
}

void tst_qwen2_moe::eachKeyOfMoe() {
  const ModelSpec spec = specOf("qwen2_moe", {{"norm_topk_prob", true},
                                              {"moe_intermediate_size", 10},
                                              {"shared_expert_intermediate_size", 12},
                                              {"num_experts", 6},
                                              {"num_experts_per_tok", 3},
                                              {"qkv_bias", false}});
  QVERIFY(spec.moe->normaliseGates && !spec.queryKeyValueBias);
  QCOMPARE(spec.moe->expertWidth, std::int64_t{10});
  QCOMPARE(spec.moe->sharedWidth, std::int64_t{12});
  QCOMPARE(spec.moe->experts, std::int64_t{6});
  QCOMPARE(spec.moe->active, std::int64_t{3});
  QVERIFY_ERROR(specOf("qwen2_moe", {{"num_experts", 3}}), "num_experts_per_tok");
  QVERIFY_ERROR(specOf("qwen2_moe", {{"moe_intermediate_size", 0}}),
                "moe_intermediate_size");
}

/// A dense layer has the width of "intermediate_size".
void tst_qwen2_moe::someLayersAreDense() {
  const ModelDescription description = describe(
      "qwen2_moe",
      {{"num_hidden_layers", 6}, {"decoder_sparse_step", 2}, {"mlp_only_layers", {3}}});
  QCOMPARE(expertsOf(description.spec), std::string("dmdddm"));
  QCOMPARE(stored(description, "layers.3.W_up"),
           std::string("model.layers.3.mlp.up_proj.weight [5632, 2048]"));
  QVERIFY(stored(description, "layers.3.W_router").empty());
  QVERIFY(stored(description, "layers.1.W_up").empty());
}

/// Releases of the library differ in what the switch alone means.
void tst_qwen2_moe::windowsNeedLayerTypes() {
  Json config = {
      {"num_hidden_layers", 2}, {"use_sliding_window", true}, {"sliding_window", 5}};
  QVERIFY_ERROR(specOf("qwen2_moe", config), "use_sliding_window", "layer_types");
  config["layer_types"] = {"sliding_attention", "full_attention"};
  QCOMPARE(windowsOf(specOf("qwen2_moe", config)), std::string("LG"));
}

EQUIPATCH_TEST(tst_qwen2_moe)
#include "tst_qwen2_moe.moc"

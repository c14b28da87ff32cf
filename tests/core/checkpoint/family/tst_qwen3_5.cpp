// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/checkpoint/family/describing.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

namespace {

/// One letter per layer: r for a recurrent one, a for attention.
std::string mixersOf(const ModelSpec& spec) {
  std::string letters;
  for (const LayerSpec& layer : spec.layers) letters += layer.recurrent ? 'r' : 'a';
  return letters;
}

}  // namespace

class tst_qwen3_5 : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void omittedKeysAreTheClassDefaults();
  void goldenFolderGivesSizesAndTensors();
  void configKeysChooseTheRecurrentLayers();
  void configKeysAreRead();
  void expertsAreStoredInTwoTensors();
  void tieWordEmbeddingsInTextConfigIsIgnored();
};

void tst_qwen3_5::omittedKeysAreTheClassDefaults() {
  const ModelSpec spec = specOf("qwen3_5_text", {{"num_hidden_layers", 8}});
  QCOMPARE(spec.headDim, std::int64_t{256});
  QVERIFY(spec.norm.storedMinusOne && spec.norm.scaleBeforeRounding);
  QCOMPARE(spec.norm.eps, 1e-6);
  QVERIFY(spec.queryKeyNorm == QueryKeyNorm::PerHead && spec.attentionGate);
  QVERIFY(!spec.tiedHead && !spec.queryKeyValueBias);
  QCOMPARE(mixersOf(spec), std::string("rrrarrra"));
  QVERIFY(!spec.layers[0].rope);
  QCOMPARE(spec.layers[3].rope->dims, std::int64_t{64});
  const DeltaNetSpec& delta = *spec.deltaNet;
  QCOMPARE(delta.keyHeads, std::int64_t{16});
  QCOMPARE(delta.valueHeads, std::int64_t{32});
  QCOMPARE(delta.keyDim, std::int64_t{128});
  QCOMPARE(delta.valueDim, std::int64_t{128});
  QCOMPARE(delta.kernel, std::int64_t{4});
}

void tst_qwen3_5::goldenFolderGivesSizesAndTensors() {
  const ModelDescription golden = goldenOf("qwen3_5");
  QCOMPARE(sizesOf(golden.spec), std::string("192 40 72 6 4/2 24 128"));
  QCOMPARE(mixersOf(golden.spec), std::string("rrrarr"));
  QVERIFY(golden.spec.tiedHead);
  const std::string model = "model.language_model.layers.";
  const std::string query = model + "3.self_attn.q_proj.weight [192, 40]";
  QCOMPARE(stored(golden, "layers.3.W_q"), query + " 0/2 of 4");
  QCOMPARE(stored(golden, "layers.3.W_attn_gate"), query + " 1/2 of 4");
  QCOMPARE(stored(golden, "layers.0.W_delta_in"),
           model + "0.linear_attn.in_proj_qkv.weight [160, 40]");
  QCOMPARE(stored(golden, "layers.0.delta_conv"),
           model + "0.linear_attn.conv1d.weight [160, 1, 4]");
  QCOMPARE(stored(golden, "layers.0.W_o"),
           model + "0.linear_attn.out_proj.weight [40, 96]");
  QVERIFY(stored(golden, "layers.0.W_q").empty());
  QVERIFY(stored(golden, "layers.3.W_delta_in").empty());
}

void tst_qwen3_5::configKeysChooseTheRecurrentLayers() {
  Json config = {{"num_hidden_layers", 4}, {"full_attention_interval", 2}};
  QCOMPARE(mixersOf(specOf("qwen3_5_text", config)), std::string("rara"));
  config["layer_types"] = {"full_attention", "linear_attention", "linear_attention",
                           "linear_attention"};
  QCOMPARE(mixersOf(specOf("qwen3_5_text", config)), std::string("arrr"));
  config["layer_types"][2] = "sliding_attention";
  QVERIFY_ERROR(specOf("qwen3_5_text", config), "layer 2", "linear_attention");
  config["layer_types"] = {"full_attention"};
  QVERIFY_ERROR(specOf("qwen3_5_text", config), "list of 4");
}

void tst_qwen3_5::configKeysAreRead() {
  const ModelSpec spec = specOf("qwen3_5_text", {{"attn_output_gate", false},
                                                 {"attention_bias", true},
                                                 {"linear_num_key_heads", 2},
                                                 {"linear_num_value_heads", 6},
                                                 {"linear_key_head_dim", 8},
                                                 {"linear_value_head_dim", 10},
                                                 {"linear_conv_kernel_dim", 3},
                                                 {"partial_rotary_factor", 0.5}});
  QVERIFY(!spec.attentionGate && spec.queryKeyValueBias && spec.attentionOutBias);
  QCOMPARE(spec.deltaNet->channels(), std::int64_t{2 * 16 + 60});
  QCOMPARE(spec.deltaNet->kernel, std::int64_t{3});
  QCOMPARE(spec.layers[3].rope->dims, std::int64_t{128});
  const ModelSpec inside = specOf(
      "qwen3_5_text",
      {{"partial_rotary_factor", 0.5},
       {"rope_parameters", {{"rope_theta", 1e7}, {"partial_rotary_factor", 0.125}}}});
  QCOMPARE(inside.layers[3].rope->dims, std::int64_t{32});
  QCOMPARE(inside.layers[3].rope->theta, 1e7);
  QVERIFY_ERROR(specOf("qwen3_5_text", {{"linear_num_key_heads", 5}}), "multiple", "32");
  QVERIFY_ERROR(specOf("qwen3_5_text", {{"mlp_only_layers", {1}}}), "mlp_only_layers");
}

/// All experts' gate and up matrices are in one tensor, gate rows first; all their down
/// matrices are in another.
void tst_qwen3_5::expertsAreStoredInTwoTensors() {
  const ModelDescription moe = describe("qwen3_5_moe_text", {{"num_hidden_layers", 2},
                                                             {"hidden_size", 32},
                                                             {"num_experts", 16},
                                                             {"moe_intermediate_size", 9},
                                                             {"norm_topk_prob", false}});
  QCOMPARE(expertsOf(moe.spec), std::string("mm"));
  QVERIFY(moe.spec.moe->normaliseGates);  // whatever the config says
  QCOMPARE(moe.spec.moe->active, std::int64_t{8});
  QCOMPARE(moe.spec.moe->sharedWidth, std::int64_t{512});
  const std::string experts = "model.layers.1.mlp.experts.";
  QCOMPARE(stored(moe, "layers.1.experts.5.W_gate"),
           experts + "gate_up_proj [16, 18, 32] 0/2 of 1 in 5/16");
  QCOMPARE(stored(moe, "layers.1.experts.5.W_up"),
           experts + "gate_up_proj [16, 18, 32] 1/2 of 1 in 5/16");
  QCOMPARE(stored(moe, "layers.1.experts.5.W_down"),
           experts + "down_proj [16, 32, 9] in 5/16");
  QCOMPARE(stored(moe, "layers.1.W_shared_router"),
           std::string("model.layers.1.mlp.shared_expert_gate.weight [1, 32]"));
}

/// Only the key beside "text_config" counts.
void tst_qwen3_5::tieWordEmbeddingsInTextConfigIsIgnored() {
  const Json text = {{"num_hidden_layers", 1}, {"tie_word_embeddings", true}};
  QVERIFY(!describe("qwen3_5", {{"text_config", text}}).spec.tiedHead);
  QVERIFY(describe("qwen3_5", {{"text_config", {{"num_hidden_layers", 1}}},
                               {"tie_word_embeddings", true}})
              .spec.tiedHead);
}

EQUIPATCH_TEST(tst_qwen3_5)
#include "tst_qwen3_5.moc"

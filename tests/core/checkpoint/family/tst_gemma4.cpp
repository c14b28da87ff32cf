// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "tests/core/checkpoint/family/describing.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

namespace {

/// For each layer, the number of the layer whose keys it reads, or - if it computes its
/// own.
std::string sourcesOf(const ModelSpec& spec) {
  std::string text;
  for (const LayerSpec& layer : spec.layers)
    text += layer.keysOf ? std::to_string(*layer.keysOf) : std::string("-");
  return text;
}

/// A config of six layers without per-layer embeddings, updated with `more`.
Json with(const Json& more) {
  Json config = {{"num_hidden_layers", 6}, {"hidden_size_per_layer_input", 0}};
  config.update(more);
  return config;
}

}  // namespace

class tst_gemma4 : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void omittedKeysAreTheClassDefaults();
  void goldenFolderGivesSizesAndTensors();
  void e2bGoldenFolderGivesSizesAndTensors();
  void theLastLayerHasNoWindow();
  void globalKeysSetTheHeadsOfFullLayers();
  void perLayerConfigSetsHeadDimAndKvHeads();
  void fullAndWindowedLayersRotateDifferently();
  void manyUnreadRopeMembersAreListedOnce();
  void lastLayersReadEarlierLayersKeys();
  void perLayerEmbeddingWidthIsReadAndChecked();
  void configKeysAreRead();
  void layersHaveExpertsBesideTheDenseMlp();
  void bidirectionalTextAttentionIsRefused();
  void readsTheTextOfAMultimodalConfig();
};

void tst_gemma4::omittedKeysAreTheClassDefaults() {
  const ModelSpec spec = specOf("gemma4_text");
  QCOMPARE(sizesOf(spec), std::string("262144 2304 9216 30 8/4 256 131072"));
  QVERIFY(spec.norm.scaleBeforeRounding && !spec.norm.storedMinusOne);
  QCOMPARE(spec.norm.eps, 1e-6);
  QVERIFY(spec.queryKeyNorm == QueryKeyNorm::PerHead && spec.valueNorm);
  QVERIFY(spec.attentionPostNorm && spec.mlpPostNorm && spec.layerScalar);
  QVERIFY(spec.activation == Activation::GeluTanh && spec.tiedHead);
  QCOMPARE(spec.embeddingScale, std::sqrt(2304.0));
  QCOMPARE(spec.perLayerWidth, std::int64_t{256});
  QVERIFY(!spec.logitSoftcap && !spec.attentionSoftcap);
  QCOMPARE(spec.layers[0].attentionScale, 1.0);
  QCOMPARE(windowsOf(spec).substr(0, 12), std::string("LLLLLGLLLLLG"));
  QCOMPARE(*spec.layers[0].window, std::int64_t{512});
  QCOMPARE(spec.headDimOf(spec.layers[0]), std::int64_t{256});
  QCOMPARE(spec.headDimOf(spec.layers[5]), std::int64_t{512});
  QCOMPARE(spec.kvHeadsOf(spec.layers[5]), std::int64_t{4});
  QVERIFY(spec.beginOfSequence == TokenId(2));
  QVERIFY(!spec.sharesKeys());
}

/// As in Gemma 4 31B, full layers lack W_v and have fewer key heads than the others.
void tst_gemma4::goldenFolderGivesSizesAndTensors() {
  const ModelDescription golden = goldenOf("gemma4");
  QCOMPARE(sizesOf(golden.spec), std::string("192 48 80 6 4/2 16 128"));
  QCOMPARE(windowsOf(golden.spec), std::string("LLLGLG"));
  QCOMPARE(*golden.spec.logitSoftcap, 7.0);
  QCOMPARE(golden.spec.perLayerWidth, std::int64_t{0});
  const std::string layer = "model.language_model.layers.3.";
  QCOMPARE(stored(golden, "layers.3.W_q"), layer + "self_attn.q_proj.weight [96, 48]");
  QCOMPARE(stored(golden, "layers.3.W_k"), layer + "self_attn.k_proj.weight [24, 48]");
  QVERIFY(stored(golden, "layers.3.W_v").empty());
  QVERIFY(!stored(golden, "layers.2.W_v").empty());
  QCOMPARE(stored(golden, "layers.3.k_norm"), layer + "self_attn.k_norm.weight [24]");
  QCOMPARE(stored(golden, "layers.3.layer_scalar"), layer + "layer_scalar [1]");
  QVERIFY(stored(golden, "layers.3.W_per_layer_gate").empty());
}

void tst_gemma4::e2bGoldenFolderGivesSizesAndTensors() {
  const ModelDescription golden = goldenOf("gemma4_e2b");
  QCOMPARE(sizesOf(golden.spec), std::string("192 40 56 9 4/1 16 128"));
  QCOMPARE(sourcesOf(golden.spec), std::string("------445"));
  QCOMPARE(golden.spec.mlpWidthOf(golden.spec.layers[5]), std::int64_t{56});
  QCOMPARE(golden.spec.mlpWidthOf(golden.spec.layers[6]), std::int64_t{112});
  const std::string layer = "model.language_model.layers.6.";
  QCOMPARE(stored(golden, "layers.6.W_gate"), layer + "mlp.gate_proj.weight [112, 40]");
  QVERIFY(stored(golden, "layers.6.W_k").empty());
  QVERIFY(stored(golden, "layers.6.k_norm").empty());
  QVERIFY(!stored(golden, "layers.6.q_norm").empty());
  QCOMPARE(stored(golden, "layers.6.W_per_layer_gate"),
           layer + "per_layer_input_gate.weight [12, 40]");
  QCOMPARE(stored(golden, "per_layer_embed"),
           std::string("model.language_model.embed_tokens_per_layer.weight [192, 108]"));
  QCOMPARE(
      stored(golden, "W_per_layer"),
      std::string("model.language_model.per_layer_model_projection.weight [108, 40]"));
}

void tst_gemma4::theLastLayerHasNoWindow() {
  const Json types(std::vector<std::string>(6, "sliding_attention"));
  const ModelSpec spec =
      specOf("gemma4_text", with({{"layer_types", types}, {"sliding_window", 33}}));
  QCOMPARE(windowsOf(spec), std::string("LLLLLG"));
  QCOMPARE(*spec.layers[4].window, std::int64_t{33});
}

void tst_gemma4::globalKeysSetTheHeadsOfFullLayers() {
  const ModelSpec one = specOf("gemma4_text", with({{"global_head_dim", 64},
                                                    {"attention_k_eq_v", true},
                                                    {"num_global_key_value_heads", 1}}));
  QVERIFY(one.layers[5].valueIsKey && !one.layers[0].valueIsKey);
  QCOMPARE(one.headDimOf(one.layers[5]), std::int64_t{64});
  QCOMPARE(one.kvHeadsOf(one.layers[5]), std::int64_t{1});
  QCOMPARE(one.kvHeadsOf(one.layers[4]), std::int64_t{4});
  const ModelSpec own = specOf("gemma4_text", with({{"num_global_key_value_heads", 1}}));
  QCOMPARE(own.kvHeadsOf(own.layers[5]), std::int64_t{4});  // needs attention_k_eq_v
  QVERIFY_ERROR(specOf("gemma4_text", with({{"attention_k_eq_v", true},
                                            {"num_global_key_value_heads", 3}})),
                "layer 5", "multiple");
}

/// From 5.15 on, transformers writes "per_layer_config" instead of the keys for full
/// layers. It pads layer numbers with zeros and omits sizes that equal the model's.
void tst_gemma4::perLayerConfigSetsHeadDimAndKvHeads() {
  const auto listed = [](const Json& table) {
    return specOf("gemma4_text", with({{"attention_k_eq_v", true},
                                       {"global_head_dim", 64},
                                       {"num_global_key_value_heads", 1},
                                       {"per_layer_config", table}}));
  };
  for (const char* key : {"5", "05"}) {
    const ModelSpec spec =
        listed({{key, {{"head_dim", 32}, {"num_key_value_heads", 2}}}});
    QCOMPARE(spec.headDimOf(spec.layers[5]), std::int64_t{32});
    QCOMPARE(spec.kvHeadsOf(spec.layers[5]), std::int64_t{2});
    QCOMPARE(spec.headDimOf(spec.layers[4]), std::int64_t{256});
    QVERIFY(spec.layers[5].valueIsKey && !spec.layers[4].valueIsKey);
  }
  for (const Json& table : {Json::object(), Json(nullptr)}) {
    const ModelSpec spec = listed(table);
    QCOMPARE(spec.headDimOf(spec.layers[5]), std::int64_t{256});
    QCOMPARE(spec.kvHeadsOf(spec.layers[5]), std::int64_t{4});
  }
  QVERIFY_ERROR(listed({{"2", {{"x", 1}}}}), "layer 2", "\"x\"");
  QVERIFY_ERROR(listed({{"6", {{"head_dim", 32}}}}), "per_layer_config", "from 0 to 5");
  QVERIFY_ERROR(listed({{"x", {{"head_dim", 32}}}}), "per_layer_config", "\"x\"");
}

/// In full layers, the components of a pair are half a head apart, and only the first
/// pairs rotate.
void tst_gemma4::fullAndWindowedLayersRotateDifferently() {
  const ModelSpec spec = specOf("gemma4_text", with(Json::object()));
  QVERIFY(spec.layers[0].rope->scaling == RopeScaling::None);
  QCOMPARE(spec.layers[0].rope->theta, 1e4);
  QCOMPARE(spec.layers[0].rope->dims, std::int64_t{256});
  QVERIFY(spec.layers[5].rope->scaling == RopeScaling::Proportional);
  QCOMPARE(spec.layers[5].rope->theta, 1e6);
  QCOMPARE(spec.layers[5].rope->factor, 1.0);
  QCOMPARE(spec.layers[5].rope->dims, std::int64_t{512});
  QCOMPARE(spec.layers[5].rope->turningPairs, std::int64_t{64});
  const Json tables = {{"full_attention",
                        {{"rope_type", "proportional"},
                         {"factor", 8.0},
                         {"partial_rotary_factor", 0.5},
                         {"rope_theta", 5e3}}},
                       {"sliding_attention", {{"rope_theta", 3e2}}}};
  const ModelSpec own = specOf("gemma4_text", with({{"rope_parameters", tables}}));
  QCOMPARE(own.layers[5].rope->turningPairs, std::int64_t{128});
  QCOMPARE(own.layers[5].rope->theta, 5e3);
  QCOMPARE(own.layers[5].rope->factor, 8.0);
  QCOMPARE(own.layers[0].rope->theta, 3e2);
  Json more = tables;
  more["former"] = 1;
  const auto unread = [](const Json& rotations) {
    return describe("gemma4_text", with({{"rope_parameters", rotations}})).unreadKeys;
  };
  QCOMPARE(unread(tables), std::vector<std::string>{});
  QCOMPARE(unread(more), std::vector<std::string>{"rope_parameters.former"});
  QVERIFY_ERROR(
      specOf("gemma4_text", with({{"rope_parameters", {{"full_attention", {}}}}})),
      "attention");
}

/// Every layer reads its table with a headDim of its own, but only the first layer that
/// reads a table lists its unread members.
void tst_gemma4::manyUnreadRopeMembersAreListedOnce() {
  constexpr std::size_t kMembers = 100'000;
  Json sliding = Json::object();
  for (std::size_t i = 0; i < kMembers; ++i) sliding["k" + std::to_string(i)] = 0;
  const Json tables = {{"sliding_attention", sliding},
                       {"full_attention", Json::object()}};
  constexpr int kLayers = 1000;
  Json widths = Json::object();  // a rotation of its own for each layer
  for (int i = 0; i < kLayers; ++i)
    widths[std::to_string(i)] = {{"head_dim", 8 * (i + 1)}};
  const ModelDescription description =
      describe("gemma4_text", with({{"rope_parameters", tables},
                                    {"num_hidden_layers", kLayers},
                                    {"per_layer_config", widths}}));
  QCOMPARE(description.unreadKeys.size(), kMembers);
}

void tst_gemma4::lastLayersReadEarlierLayersKeys() {
  const Json types = {"sliding_attention", "full_attention",    "sliding_attention",
                      "full_attention",    "sliding_attention", "full_attention"};
  Json config = with({{"layer_types", types}, {"num_kv_shared_layers", 3}});
  QCOMPARE(sourcesOf(specOf("gemma4_text", config)), std::string("---121"));
  QVERIFY(!specOf("gemma4_text", config).layers[3].mlpWidth);
  config["use_double_wide_mlp"] = true;
  QCOMPARE(*specOf("gemma4_text", config).layers[3].mlpWidth, std::int64_t{18432});
  config["per_layer_config"] = {{"5", {{"head_dim", 32}}}};
  QVERIFY_ERROR(specOf("gemma4_text", config), "layer 5", "layer 1");
  config.erase("per_layer_config");
  config["num_kv_shared_layers"] = 5;
  QVERIFY_ERROR(specOf("gemma4_text", config), "num_kv_shared_layers", "layer 1");
}

void tst_gemma4::perLayerEmbeddingWidthIsReadAndChecked() {
  QCOMPARE(specOf("gemma4_text", with({{"hidden_size_per_layer_input", nullptr}}))
               .perLayerWidth,
           std::int64_t{0});
  QCOMPARE(
      specOf("gemma4_text", with({{"hidden_size_per_layer_input", 7}})).perLayerWidth,
      std::int64_t{7});
  QVERIFY_ERROR(specOf("gemma4_text", with({{"hidden_size_per_layer_input", 7},
                                            {"vocab_size_per_layer_input", 5}})),
                "vocab_size_per_layer_input");
}

void tst_gemma4::configKeysAreRead() {
  const ModelSpec spec = specOf("gemma4_text", with({{"final_logit_softcapping", 30.0},
                                                     {"rms_norm_eps", 1e-5},
                                                     {"hidden_activation", "silu"},
                                                     {"tie_word_embeddings", false},
                                                     {"attention_bias", true}}));
  QCOMPARE(*spec.logitSoftcap, 30.0);
  QCOMPARE(spec.norm.eps, 1e-5);
  QVERIFY(spec.activation == Activation::Silu && !spec.tiedHead);
  QVERIFY(spec.queryKeyValueBias && spec.attentionOutBias);
}

void tst_gemma4::layersHaveExpertsBesideTheDenseMlp() {
  Json config = with({{"enable_moe_block", true},
                      {"hidden_size", 32},
                      {"intermediate_size", 48},
                      {"num_experts", 16},
                      {"top_k_experts", 3},
                      {"moe_intermediate_size", 9}});
  const ModelDescription moe = describe("gemma4_text", config);
  QVERIFY(moe.spec.hasDenseBeside());
  QCOMPARE(expertsOf(moe.spec), std::string("mmmmmm"));
  QCOMPARE(moe.spec.moe->experts, std::int64_t{16});
  QCOMPARE(moe.spec.moe->active, std::int64_t{3});
  QCOMPARE(moe.spec.moe->expertWidth, std::int64_t{9});
  QVERIFY(moe.spec.moe->normaliseGates && moe.spec.moe->sharedWidth == 0);
  const std::string layer = "model.layers.5.";
  QCOMPARE(stored(moe, "layers.5.W_gate"), layer + "mlp.gate_proj.weight [48, 32]");
  QCOMPARE(stored(moe, "layers.5.W_router"), layer + "router.proj.weight [16, 32]");
  QCOMPARE(stored(moe, "layers.5.router_scale"), layer + "router.scale [32]");
  QCOMPARE(stored(moe, "layers.5.expert_scale"), layer + "router.per_expert_scale [16]");
  QCOMPARE(stored(moe, "layers.5.experts.7.W_up"),
           layer + "experts.gate_up_proj [16, 18, 32] 1/2 of 1 in 7/16");
  QCOMPARE(stored(moe, "layers.5.experts.7.W_down"),
           layer + "experts.down_proj [16, 32, 9] in 7/16");
  QCOMPARE(stored(moe, "layers.5.experts_norm"),
           layer + "pre_feedforward_layernorm_2.weight [32]");
  QCOMPARE(stored(moe, "layers.5.dense_post_norm"),
           layer + "post_feedforward_layernorm_1.weight [32]");
  QCOMPARE(stored(moe, "layers.5.experts_post_norm"),
           layer + "post_feedforward_layernorm_2.weight [32]");
  for (const char* key : {"num_experts", "top_k_experts", "moe_intermediate_size"}) {
    Json lacking = config;
    lacking.erase(key);
    QVERIFY_ERROR(specOf("gemma4_text", lacking), key);
  }
  config["top_k_experts"] = 17;
  QVERIFY_ERROR(specOf("gemma4_text", config), "top_k_experts", "16");
  config["enable_moe_block"] = false;
  QVERIFY(!specOf("gemma4_text", config).moe);
}

void tst_gemma4::bidirectionalTextAttentionIsRefused() {
  QVERIFY_ERROR(specOf("gemma4_text", with({{"use_bidirectional_attention", "all"}})),
                "use_bidirectional_attention", "all");
  QCOMPARE(specOf("gemma4_text", with({{"use_bidirectional_attention", "vision"}}))
               .layerCount(),
           std::int64_t{6});
}

void tst_gemma4::readsTheTextOfAMultimodalConfig() {
  const Json text = with({{"model_type", "gemma4_text"}, {"zoo", 1}});
  const ModelDescription description =
      describe("gemma4", {{"text_config", text},
                          {"vision_config", {{"hidden_size", 5}}},
                          {"audio_config", nullptr},
                          {"eos_token_id", {1, 106}},
                          {"image_token_id", 7}});
  QCOMPARE(description.spec.layerCount(), std::int64_t{6});
  QCOMPARE(description.spec.endOfSequence.size(), std::size_t{2});
  QCOMPARE(description.unreadKeys, (std::vector<std::string>{"text_config.zoo"}));
}

EQUIPATCH_TEST(tst_gemma4)
#include "tst_gemma4.moc"

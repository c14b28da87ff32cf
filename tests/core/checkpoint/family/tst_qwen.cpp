// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "tests/core/checkpoint/family/describing.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

class tst_qwen : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void qwen2OmittedKeysAreTheClassDefaults();
  void qwen2GoldenFolderIsRead();
  void qwen2BiasesCoverQueriesKeysAndValues();
  void qwen2WindowsApplyOnlyWithUseSlidingWindow();
  void yarnExtendsMaxPositions();
  void unsupportedKeysAreRefused();
  void qwen3OmittedKeysAreTheClassDefaults();
  void qwen3GoldenFolderIsRead();
  void headDimIsIndependentOfTheWidth();
  void qwen3AttentionBiasCoversFourProjections();
  void qwen3WindowsApplyOnlyWithUseSlidingWindow();
  void qwen3ModelClassHasTheTiedModelsTensors();
  void qwen2MoeOmittedKeysAreTheClassDefaults();
  void qwen2MoeGoldenFolderIsRead();
  void qwen2MoeKeysAreRead();
  void configKeysChooseDenseLayers();
  void qwen2MoeWindowsNeedLayerTypes();
  void qwen3MoeOmittedKeysAreTheClassDefaults();
  void qwen3MoeGoldenFolderIsRead();
  void sparseLayersAreCountedFromOne();
  void qwen3MoeKeysAreReadOrRefused();
};

void tst_qwen::qwen2OmittedKeysAreTheClassDefaults() {
  const ModelSpec spec = specOf("qwen2");
  QCOMPARE(sizesOf(spec), std::string("151936 4096 22016 32 32/32 128 32768"));
  QCOMPARE(spec.norm.eps, 1e-6);
  QVERIFY(!spec.tiedHead && !spec.beginOfSequence && spec.endOfSequence.empty());
  QCOMPARE(spec.layers[0].rope->theta, 10000.0);
  QCOMPARE(windowsOf(spec), std::string(32, 'G'));
  QVERIFY(spec.queryKeyNorm == QueryKeyNorm::None);
}

void tst_qwen::qwen2GoldenFolderIsRead() {
  const ModelDescription golden = goldenOf("qwen2_tied");
  QCOMPARE(sizesOf(golden.spec), std::string("192 56 88 3 7/1 8 128"));
  QVERIFY(golden.spec.tiedHead && stored(golden, "head").empty());
  QCOMPARE(windowsOf(golden.spec), std::string("GGG"));  // a window is given, but off
  QCOMPARE(stored(golden, "layers.2.b_v"),
           std::string("model.layers.2.self_attn.v_proj.bias [8]"));
}

/// No key of Qwen 2 switches these biases.
void tst_qwen::qwen2BiasesCoverQueriesKeysAndValues() {
  const ModelDescription description = describe("qwen2", Json::object());
  QVERIFY(description.spec.queryKeyValueBias && !description.spec.attentionOutBias);
  for (const char* name : {"layers.0.b_q", "layers.0.b_k", "layers.31.b_v"})
    QVERIFY(!stored(description, name).empty());
  QVERIFY(stored(description, "layers.0.b_o").empty());
}

void tst_qwen::qwen2WindowsApplyOnlyWithUseSlidingWindow() {
  Json config = {
      {"num_hidden_layers", 4}, {"sliding_window", 9}, {"max_window_layers", 2}};
  QCOMPARE(windowsOf(specOf("qwen2", config)), std::string("GGGG"));
  config["use_sliding_window"] = true;
  const ModelSpec spec = specOf("qwen2", config);
  QCOMPARE(windowsOf(spec), std::string("GGLL"));
  QVERIFY(spec.layers[2].window == std::int64_t{9});
  config["layer_types"] = {"sliding_attention", "full_attention", "full_attention",
                           "full_attention"};
  QCOMPARE(windowsOf(specOf("qwen2", config)), std::string("LGGG"));
  config["use_sliding_window"] = false;
  QVERIFY_ERROR(specOf("qwen2", config), "layer_types", "use_sliding_window");
  config.erase("layer_types");
  config["use_sliding_window"] = true;
  config["sliding_window"] = nullptr;
  QCOMPARE(windowsOf(specOf("qwen2", config)), std::string("GGGG"));
}

/// The setting that Qwen recommends for long texts.
void tst_qwen::yarnExtendsMaxPositions() {
  const ModelSpec spec =
      specOf("qwen2", {{"rope_theta", 1e6},
                       {"rope_scaling",
                        {{"type", "yarn"},
                         {"factor", 4.0},
                         {"original_max_position_embeddings", 32768}}}});
  const RopeSpec& rope = *spec.layers[0].rope;
  QVERIFY(rope.scaling == RopeScaling::Yarn);
  QCOMPARE(rope.factor, 4.0);
  QCOMPARE(rope.originalPositions, std::int64_t{32768});
  QCOMPARE(rope.magnitude, 0.1 * std::log(4.0) + 1.0);
  QCOMPARE(spec.maxPositions, std::int64_t{131072});
}

void tst_qwen::unsupportedKeysAreRefused() {
  QVERIFY_ERROR(specOf("qwen2", {{"use_mrope", true}}), "use_mrope");
  QVERIFY_ERROR(specOf("qwen2", {{"attention_bias", true}}), "attention_bias");
}

void tst_qwen::qwen3OmittedKeysAreTheClassDefaults() {
  const ModelSpec spec = specOf("qwen3");
  QCOMPARE(sizesOf(spec), std::string("151936 4096 22016 32 32/32 128 32768"));
  QCOMPARE(spec.norm.eps, 1e-6);
  QVERIFY(spec.queryKeyNorm == QueryKeyNorm::PerHead && !spec.norm.scaleBeforeRounding);
  QVERIFY(!spec.queryKeyValueBias && !spec.attentionOutBias && !spec.tiedHead);
  QVERIFY(!spec.beginOfSequence && spec.endOfSequence.empty());
}

void tst_qwen::qwen3GoldenFolderIsRead() {
  const ModelDescription golden = goldenOf("qwen3_tied");
  QCOMPARE(sizesOf(golden.spec), std::string("192 40 72 3 4/2 16 128"));
  QVERIFY(golden.spec.tiedHead);
  QCOMPARE(stored(golden, "layers.1.q_norm"),
           std::string("model.layers.1.self_attn.q_norm.weight [16]"));
  QCOMPARE(stored(golden, "layers.1.W_o"),
           std::string("model.layers.1.self_attn.o_proj.weight [40, 64]"));
  QCOMPARE(golden.spec.layers[0].rope->theta, 1e6);
}

void tst_qwen::headDimIsIndependentOfTheWidth() {
  QCOMPARE(specOf("qwen3", {{"hidden_size", 1024},
                            {"num_attention_heads", 16},
                            {"num_key_value_heads", 8}})
               .headDim,
           std::int64_t{128});
  QCOMPARE(specOf("qwen3", {{"head_dim", 64}}).layers[0].attentionScale, 0.125);
}

void tst_qwen::qwen3AttentionBiasCoversFourProjections() {
  const ModelSpec spec = specOf("qwen3", {{"attention_bias", true}});
  QVERIFY(spec.queryKeyValueBias && spec.attentionOutBias && !spec.mlpBias);
}

void tst_qwen::qwen3WindowsApplyOnlyWithUseSlidingWindow() {
  Json config = {
      {"num_hidden_layers", 4}, {"sliding_window", 9}, {"max_window_layers", 3}};
  QCOMPARE(windowsOf(specOf("qwen3", config)), std::string("GGGG"));
  config["use_sliding_window"] = true;
  QCOMPARE(windowsOf(specOf("qwen3", config)), std::string("GGGL"));
}

/// Embedding models are stored without head and prefix.
void tst_qwen::qwen3ModelClassHasTheTiedModelsTensors() {
  const ModelDescription body = describe(
      "qwen3", {{"architectures", {"Qwen3Model"}}, {"tie_word_embeddings", true}});
  QCOMPARE(body.spec.architecture, std::string("Qwen3ForCausalLM"));
  QCOMPARE(body.schemes.back().body, std::string());
  const ModelDescription whole = describe("qwen3", {{"tie_word_embeddings", true}});
  QCOMPARE(body.tensors.size(), whole.tensors.size());
  for (const TensorBinding& binding : whole.tensors)
    QCOMPARE(stored(body, binding.name), stored(whole, binding.name));
}

void tst_qwen::qwen2MoeOmittedKeysAreTheClassDefaults() {
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

void tst_qwen::qwen2MoeGoldenFolderIsRead() {
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

void tst_qwen::qwen2MoeKeysAreRead() {
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

/// The MLP of a dense layer is "intermediate_size" wide.
void tst_qwen::configKeysChooseDenseLayers() {
  const ModelDescription description = describe(
      "qwen2_moe",
      {{"num_hidden_layers", 6}, {"decoder_sparse_step", 2}, {"mlp_only_layers", {3}}});
  QCOMPARE(expertsOf(description.spec), std::string("dmdddm"));
  QCOMPARE(stored(description, "layers.3.W_up"),
           std::string("model.layers.3.mlp.up_proj.weight [5632, 2048]"));
  QVERIFY(stored(description, "layers.3.W_router").empty());
  QVERIFY(stored(description, "layers.1.W_up").empty());
}

/// Without "layer_types", releases of transformers disagree about which layers have
/// windows.
void tst_qwen::qwen2MoeWindowsNeedLayerTypes() {
  Json config = {
      {"num_hidden_layers", 2}, {"use_sliding_window", true}, {"sliding_window", 5}};
  QVERIFY_ERROR(specOf("qwen2_moe", config), "use_sliding_window", "layer_types");
  config["layer_types"] = {"sliding_attention", "full_attention"};
  QCOMPARE(windowsOf(specOf("qwen2_moe", config)), std::string("LG"));
}

void tst_qwen::qwen3MoeOmittedKeysAreTheClassDefaults() {
  const ModelSpec spec = specOf("qwen3_moe");
  QCOMPARE(sizesOf(spec), std::string("151936 2048 6144 24 32/4 64 32768"));
  QCOMPARE(spec.moe->experts, std::int64_t{128});
  QCOMPARE(spec.moe->active, std::int64_t{8});
  QCOMPARE(spec.moe->expertWidth, std::int64_t{768});
  QCOMPARE(spec.moe->sharedWidth, std::int64_t{0});
  QVERIFY(!spec.moe->normaliseGates);  // by default; published files say true
  QVERIFY(spec.queryKeyNorm == QueryKeyNorm::PerHead);
}

void tst_qwen::qwen3MoeGoldenFolderIsRead() {
  const ModelDescription golden = goldenOf("qwen3_moe");
  QCOMPARE(expertsOf(golden.spec), std::string("mdm"));
  QVERIFY(golden.spec.moe->normaliseGates);
  QCOMPARE(stored(golden, "layers.1.W_gate"),
           std::string("model.layers.1.mlp.gate_proj.weight [72, 40]"));
  QCOMPARE(stored(golden, "layers.2.experts.5.W_gate"),
           std::string("model.layers.2.mlp.experts.5.gate_proj.weight [32, 40]"));
  QCOMPARE(stored(golden, "layers.2.k_norm"),
           std::string("model.layers.2.self_attn.k_norm.weight [16]"));
  QVERIFY(stored(golden, "layers.2.W_shared_router").empty());
}

void tst_qwen::sparseLayersAreCountedFromOne() {
  const Json three = {{"num_hidden_layers", 7}, {"decoder_sparse_step", 3}};
  QCOMPARE(expertsOf(specOf("qwen3_moe", three)), std::string("ddmddmd"));
  QVERIFY_ERROR(specOf("qwen3_moe", {{"decoder_sparse_step", 0}}), "decoder_sparse_step");
  QVERIFY_ERROR(specOf("qwen3_moe", {{"mlp_only_layers", {-1}}}), "mlp_only_layers");
  QVERIFY_ERROR(specOf("qwen3_moe", {{"mlp_only_layers", {"0"}}}), "mlp_only_layers");
}

void tst_qwen::qwen3MoeKeysAreReadOrRefused() {
  QVERIFY(specOf("qwen3_moe", {{"attention_bias", true}}).attentionOutBias);
  QCOMPARE(specOf("qwen3_moe", {{"num_local_experts", 16}}).moe->experts,
           std::int64_t{16});
  QCOMPARE(windowsOf(specOf("qwen3_moe", {{"num_hidden_layers", 2},
                                          {"use_sliding_window", true},
                                          {"sliding_window", 4}})),
           std::string("LL"));
  QCOMPARE(windowsOf(specOf("qwen3_moe", {{"num_hidden_layers", 2},
                                          {"use_sliding_window", false},
                                          {"sliding_window", 4},
                                          {"max_window_layers", 1}})),
           std::string("GG"));
  QVERIFY_ERROR(specOf("qwen3_moe", {{"num_experts_per_tok", 129}}), "129");
  QVERIFY_ERROR(specOf("qwen3_moe", {{"n_shared_experts", 1}}), "n_shared_experts");
}

EQUIPATCH_TEST(tst_qwen)
#include "tst_qwen.moc"

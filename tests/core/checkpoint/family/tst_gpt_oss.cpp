// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "tests/core/checkpoint/family/describing.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

class tst_gpt_oss : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void omittedKeysAreTheClassDefaults();
  void goldenFolderGivesSizesAndTensors();
  void expertsShareTensors();
  void configKeysSetWindowsAndRotation();
  void configKeysAreRead();
  void keysWithoutEffectAreIgnored();
  void mxfp4ExpertsAreBoundToBlocksAndScales();
};

void tst_gpt_oss::omittedKeysAreTheClassDefaults() {
  const ModelSpec spec = specOf("gpt_oss");
  QCOMPARE(sizesOf(spec), std::string("201088 2880 2880 36 64/8 64 131072"));
  QCOMPARE(spec.norm.eps, 1e-5);
  QVERIFY(!spec.tiedHead && spec.attentionSinks);
  QVERIFY(spec.queryKeyValueBias && spec.attentionOutBias);
  QVERIFY(spec.activation == Activation::QuickGelu);
  QCOMPARE(*spec.gateLimit, 7.0);
  QVERIFY(spec.moe->bias && spec.moe->normaliseGates);
  QCOMPARE(spec.moe->experts, std::int64_t{128});
  QCOMPARE(spec.moe->active, std::int64_t{4});
  QCOMPARE(spec.moe->expertWidth, std::int64_t{2880});
  QCOMPARE(expertsOf(spec), std::string(36, 'm'));
  QCOMPARE(windowsOf(spec).substr(0, 6), std::string("LGLGLG"));
  QCOMPARE(*spec.layers[0].window, std::int64_t{128});
  const RopeSpec& rope = *spec.layers[0].rope;
  QVERIFY(rope.scaling == RopeScaling::Yarn && !rope.truncate);
  QCOMPARE(rope.theta, 150000.0);
  QCOMPARE(rope.factor, 32.0);
  QCOMPARE(rope.originalPositions, std::int64_t{4096});
  QCOMPARE(rope.magnitude, 0.1 * std::log(32.0) + 1.0);
}

void tst_gpt_oss::goldenFolderGivesSizesAndTensors() {
  const ModelDescription golden = goldenOf("gpt_oss");
  QCOMPARE(sizesOf(golden.spec), std::string("192 48 40 4 6/2 16 1024"));
  const std::string layer = "model.layers.1.";
  QCOMPARE(stored(golden, "layers.1.sinks"), layer + "self_attn.sinks [6]");
  QCOMPARE(stored(golden, "layers.1.b_o"), layer + "self_attn.o_proj.bias [48]");
  QCOMPARE(stored(golden, "layers.1.W_router"), layer + "mlp.router.weight [5, 48]");
  QCOMPARE(stored(golden, "layers.1.b_router"), layer + "mlp.router.bias [5]");
  QVERIFY(!golden.spec.layers[0].rope->truncate);
}

/// Each expert's matrices are [inputs, outputs]; the columns of gate and up alternate.
void tst_gpt_oss::expertsShareTensors() {
  const ModelDescription golden = goldenOf("gpt_oss");
  const std::string experts = "model.layers.2.mlp.experts.";
  QCOMPARE(stored(golden, "layers.2.experts.3.W_gate"),
           experts + "gate_up_proj [5, 48, 80] ᵀ 0/2 of 40 in 3/5");
  QCOMPARE(stored(golden, "layers.2.experts.4.W_up"),
           experts + "gate_up_proj [5, 48, 80] ᵀ 1/2 of 40 in 4/5");
  QCOMPARE(stored(golden, "layers.2.experts.4.b_up"),
           experts + "gate_up_proj_bias [5, 80] 1/2 of 40 in 4/5");
  QCOMPARE(stored(golden, "layers.2.experts.0.W_down"),
           experts + "down_proj [5, 40, 48] ᵀ in 0/5");
  QCOMPARE(stored(golden, "layers.2.experts.0.b_down"),
           experts + "down_proj_bias [5, 48] in 0/5");
}

void tst_gpt_oss::configKeysSetWindowsAndRotation() {
  const ModelSpec listed =
      specOf("gpt_oss", {{"num_hidden_layers", 2},
                         {"layer_types", {"full_attention", "sliding_attention"}},
                         {"sliding_window", 9},
                         {"rope_theta", 1e4},
                         {"rope_scaling", nullptr}});
  QCOMPARE(windowsOf(listed), std::string("GL"));
  QCOMPARE(*listed.layers[1].window, std::int64_t{9});
  QVERIFY(listed.layers[0].rope->scaling == RopeScaling::None);
  QCOMPARE(listed.layers[0].rope->theta, 1e4);
  const ModelSpec newer = specOf(
      "gpt_oss", {{"rope_parameters", {{"rope_type", "default"}, {"rope_theta", 3e4}}}});
  QCOMPARE(newer.layers[0].rope->theta, 3e4);
  QVERIFY(newer.layers[0].rope->scaling == RopeScaling::None);
}

void tst_gpt_oss::configKeysAreRead() {
  const ModelSpec spec = specOf("gpt_oss", {{"attention_bias", false},
                                            {"swiglu_limit", 3.5},
                                            {"num_local_experts", 6},
                                            {"num_experts_per_tok", 3},
                                            {"head_dim", 32},
                                            {"tie_word_embeddings", true}});
  QVERIFY(!spec.queryKeyValueBias && !spec.attentionOutBias && spec.moe->bias);
  QCOMPARE(*spec.gateLimit, 3.5);
  QCOMPARE(spec.moe->experts, std::int64_t{6});
  QCOMPARE(spec.moe->active, std::int64_t{3});
  QCOMPARE(spec.headDim, std::int64_t{32});
  QVERIFY(spec.tiedHead);
  QVERIFY_ERROR(specOf("gpt_oss", {{"swiglu_limit", 0}}), "swiglu_limit", "positive");
  QVERIFY(describe("gpt_oss", {{"swiglu_alpha", 1.702}}).unreadKeys.empty());
  QVERIFY_ERROR(specOf("gpt_oss", {{"swiglu_alpha", 1.5}}), "swiglu_alpha", "1.5");
}

void tst_gpt_oss::keysWithoutEffectAreIgnored() {
  const ModelDescription description = describe(
      "gpt_oss",
      {{"hidden_act", "silu"}, {"experts_per_token", 9}, {"initial_context_length", 1}});
  QVERIFY(description.spec.activation == Activation::QuickGelu);
  QCOMPARE(description.spec.moe->active, std::int64_t{4});
  QVERIFY(description.unreadKeys.empty());
}

/// In MXFP4 each expert's matrices are [outputs, inputs], stored as blocks of 32 values
/// with a scale for each block.
void tst_gpt_oss::mxfp4ExpertsAreBoundToBlocksAndScales() {
  const Json quantised = {{"quant_method", "mxfp4"}, {"modules_to_not_convert", {"a"}}};
  const ModelDescription packed =
      describe("gpt_oss", {{"quantization_config", quantised}, {"num_hidden_layers", 1}});
  QVERIFY(packed.unreadKeys.empty());
  const auto up =
      std::ranges::find(packed.tensors, "layers.0.experts.5.W_up", &TensorBinding::name);
  QVERIFY(up != packed.tensors.end());
  QCOMPARE(up->checkpointName, std::string("layers.0.mlp.experts.gate_up_proj_blocks"));
  QCOMPARE(up->scalesName, std::string("layers.0.mlp.experts.gate_up_proj_scales"));
  QVERIFY((storedShape(*up) == std::vector<std::int64_t>{128, 5760, 90}));
  QVERIFY(
      (up->part ==
       TensorPart{.groups = 2880, .parts = 2, .index = 1, .slices = 128, .slice = 5}));
  QCOMPARE(stored(packed, "layers.0.experts.5.b_up"),
           std::string("model.layers.0.mlp.experts.gate_up_proj_bias [128, 5760] "
                       "1/2 of 2880 in 5/128"));
  QVERIFY_ERROR(specOf("gpt_oss", {{"quantization_config", {{"quant_method", "gptq"}}}}),
                "gptq", "mxfp4");
  QVERIFY_ERROR(
      specOf("gpt_oss", {{"quantization_config", quantised}, {"intermediate_size", 40}}),
      "multiples of 32", "40");
}

EQUIPATCH_TEST(tst_gpt_oss)
#include "tst_gpt_oss.moc"

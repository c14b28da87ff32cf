// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "tests/core/checkpoint/family/describing.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

class tst_phi : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void omittedKeysAreTheClassDefaults();
  void goldenFolderGivesSizesAndTensors();
  void aPartOfEachHeadRotates();
  void queryAndKeyNormsHaveBiases();
  void aTiedHeadKeepsItsBias();
  void phi3OmittedKeysAreTheClassDefaults();
  void phi3FusesProjections();
  void phi3ReadsLongrope();
  void phi3WindowsAreInEveryLayer();
  void phi3KeysAreReadOrRefused();
};

void tst_phi::omittedKeysAreTheClassDefaults() {
  const ModelSpec spec = specOf("phi");
  QCOMPARE(sizesOf(spec), std::string("51200 2048 8192 24 32/32 64 2048"));
  QVERIFY(spec.norm.kind == NormKind::Layer && spec.norm.bias);
  QVERIFY(spec.norm.scaleBeforeRounding);
  QCOMPARE(spec.norm.eps, 1e-5);
  QVERIFY(spec.activation == Activation::GeluTanh);
  QVERIFY(spec.mlpForm == MlpForm::Plain);
  QVERIFY(spec.mlpInput == MlpInput::AttentionInput);
  QVERIFY(spec.queryKeyValueBias && spec.attentionOutBias);
  QVERIFY(spec.mlpBias && spec.headBias && !spec.tiedHead);
  QCOMPARE(spec.layers[0].rope->dims, std::int64_t{32});  // half of each head
}

void tst_phi::goldenFolderGivesSizesAndTensors() {
  const ModelDescription golden = goldenOf("phi");
  QCOMPARE(golden.spec.layers[0].rope->dims, std::int64_t{6});
  const std::string layer = "model.layers.1.";
  QCOMPARE(stored(golden, "layers.1.W_o"), layer + "self_attn.dense.weight [48, 48]");
  QCOMPARE(stored(golden, "layers.1.b_o"), layer + "self_attn.dense.bias [48]");
  QCOMPARE(stored(golden, "layers.1.W_in"), layer + "mlp.fc1.weight [100, 48]");
  QCOMPARE(stored(golden, "layers.1.b_down"), layer + "mlp.fc2.bias [48]");
  QCOMPARE(stored(golden, "layers.1.attn_norm.bias"),
           layer + "input_layernorm.bias [48]");
  QVERIFY(stored(golden, "layers.1.mlp_norm").empty());
  QCOMPARE(stored(golden, "final_norm.bias"),
           std::string("model.final_layernorm.bias [48]"));
  QCOMPARE(stored(golden, "b_head"), std::string("lm_head.bias [192]"));
}

/// Phi 2 rotates 32 of 80 components. Newer files have the fraction in rope_parameters.
void tst_phi::aPartOfEachHeadRotates() {
  Json config = {{"hidden_size", 2560}, {"partial_rotary_factor", 0.4}};
  QCOMPARE(specOf("phi", config).layers[0].rope->dims, std::int64_t{32});
  config.erase("partial_rotary_factor");
  config["rope_parameters"] = {{"rope_theta", 1e4}, {"partial_rotary_factor", 0.25}};
  QCOMPARE(specOf("phi", config).layers[0].rope->dims, std::int64_t{20});
  QVERIFY_ERROR(specOf("phi", {{"partial_rotary_factor", 0.0}}), "expected more than 0");
  QVERIFY_ERROR(specOf("phi", {{"partial_rotary_factor", 1.5}}), "at most 1");
  QVERIFY_ERROR(specOf("phi", {{"partial_rotary_factor", 0.33}}), "21", "even");
  QVERIFY_ERROR(specOf("phi", {{"partial_rotary_factor", 0.001}}), "even");
}

void tst_phi::queryAndKeyNormsHaveBiases() {
  const ModelDescription description = describe("phi", {{"qk_layernorm", true}});
  QVERIFY(description.spec.queryKeyNorm == QueryKeyNorm::PerHead);
  QCOMPARE(stored(description, "layers.0.q_norm"),
           std::string("model.layers.0.self_attn.q_layernorm.weight [64]"));
  QCOMPARE(stored(description, "layers.0.k_norm.bias"),
           std::string("model.layers.0.self_attn.k_layernorm.bias [64]"));
}

void tst_phi::aTiedHeadKeepsItsBias() {
  const ModelDescription tied = describe("phi", {{"tie_word_embeddings", true}});
  QVERIFY(stored(tied, "head").empty());
  QVERIFY(!stored(tied, "b_head").empty());
}

void tst_phi::phi3OmittedKeysAreTheClassDefaults() {
  const ModelSpec spec = specOf("phi3");
  QCOMPARE(sizesOf(spec), std::string("32064 3072 8192 32 32/32 96 4096"));
  QCOMPARE(spec.norm.eps, 1e-5);
  QVERIFY(!spec.tiedHead && spec.activation == Activation::Silu);
  QVERIFY(spec.beginOfSequence == TokenId(1));
  QVERIFY((spec.endOfSequence == std::vector<TokenId>{TokenId(32000)}));
  QVERIFY(spec.layers[0].rope->scaling == RopeScaling::None);
  QCOMPARE(spec.layers[0].rope->dims, std::int64_t{96});
  QCOMPARE(windowsOf(spec), std::string(32, 'G'));
}

/// Queries, keys and values share one tensor; gate and up share another.
void tst_phi::phi3FusesProjections() {
  const ModelDescription golden = goldenOf("phi3");
  QCOMPARE(sizesOf(golden.spec), std::string("192 64 80 3 4/2 16 1024"));
  const std::string layer = "model.layers.1.";
  const std::string fused = layer + "self_attn.qkv_proj.weight [128, 64]";
  QCOMPARE(stored(golden, "layers.1.W_q"), fused + " 0/8 of 1 over 4");
  QCOMPARE(stored(golden, "layers.1.W_k"), fused + " 4/8 of 1 over 2");
  QCOMPARE(stored(golden, "layers.1.W_v"), fused + " 6/8 of 1 over 2");
  const std::string widened = layer + "mlp.gate_up_proj.weight [160, 64]";
  QCOMPARE(stored(golden, "layers.1.W_gate"), widened + " 0/2 of 1");
  QCOMPARE(stored(golden, "layers.1.W_up"), widened + " 1/2 of 1");
  QVERIFY(golden.spec.tiedHead && stored(golden, "head").empty());
}

/// "su" and "yarn" are former names of longrope.
void tst_phi::phi3ReadsLongrope() {
  const ModelDescription golden = goldenOf("phi3");
  const RopeSpec& rope = *golden.spec.layers[0].rope;
  QVERIFY(rope.scaling == RopeScaling::LongRope);
  QCOMPARE(rope.dims, std::int64_t{12});
  QCOMPARE(rope.originalPositions, std::int64_t{64});
  QCOMPARE(rope.shortFactors.back(), 2.4);
  QCOMPARE(rope.longFactors.back(), 9.0);
  QCOMPARE(rope.magnitude, std::sqrt(1.0 + std::log(16.0) / std::log(64.0)));
  for (const char* name : {"longrope", "su", "yarn"}) {
    Json factors = std::vector<double>(48, 2.0);
    const ModelSpec spec =
        specOf("phi3", {{"max_position_embeddings", 131072},
                        {"rope_scaling",
                         {{"type", name},
                          {"short_factor", std::vector<double>(48, 1.5)},
                          {"long_factor", factors}}}});
    QVERIFY(spec.layers[0].rope->scaling == RopeScaling::LongRope);
    QCOMPARE(spec.layers[0].rope->originalPositions, std::int64_t{4096});
    QCOMPARE(spec.layers[0].rope->magnitude,
             std::sqrt(1.0 + std::log(32.0) / std::log(4096.0)));
  }
}

void tst_phi::phi3WindowsAreInEveryLayer() {
  const ModelSpec spec = specOf("phi3", {{"sliding_window", 2047}});
  QCOMPARE(windowsOf(spec), std::string(32, 'L'));
  QCOMPARE(*spec.layers[31].window, std::int64_t{2047});
  QCOMPARE(windowsOf(specOf("phi3", {{"sliding_window", nullptr}})),
           std::string(32, 'G'));
}

void tst_phi::phi3KeysAreReadOrRefused() {
  for (const char* key : {"attention_bias", "mlp_bias", "lm_head_bias"})
    QVERIFY_ERROR(specOf("phi3", {{key, true}}), key);
  for (const char* key : {"full_attn_mod", "interpolate_factor"})
    QVERIFY_ERROR(specOf("phi3", {{key, 2}}), key);
  QCOMPARE(specOf("phi3", {{"head_dim", 64}}).headDim, std::int64_t{64});
}

EQUIPATCH_TEST(tst_phi)
#include "tst_phi.moc"

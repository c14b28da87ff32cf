// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "tests/core/checkpoint/family/describing.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

namespace {

bool binds(const ModelDescription& description, const std::string& checkpointName) {
  for (const TensorBinding& binding : description.tensors)
    if (binding.checkpointName == checkpointName) return true;
  return false;
}

}  // namespace

class tst_llama : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void omittedKeysAreTheClassDefaults();
  void llama2GoldenFolderIsRead();
  void llama3GoldenFolderIsRead();
  void yarnGoldenFolderIsRead();
  void linearScalingGoldenFolderIsRead();
  void attentionBiasCoversFourProjections();
  void mlpBiasCoversThreeProjections();
  void headDimCanDifferFromWidthPerHead();
  void theHeadIsTiedOnRequest();
  void activationNamesAreReadLiterally();
  void layersShareARotationAndHaveNoWindow();
  void newerConfigKeysAreRead();
  void unsupportedKeysAreReportedOrRefused();
};

void tst_llama::omittedKeysAreTheClassDefaults() {
  const ModelSpec spec = specOf("llama");
  QCOMPARE(sizesOf(spec), std::string("32000 4096 11008 32 32/32 128 2048"));
  QCOMPARE(spec.norm.eps, 1e-6);
  QVERIFY(!spec.norm.storedMinusOne && !spec.norm.scaleBeforeRounding);
  QVERIFY(spec.queryKeyNorm == QueryKeyNorm::None && !spec.attentionPostNorm &&
          !spec.mlpPostNorm);
  QVERIFY(!spec.queryKeyValueBias && !spec.attentionOutBias && !spec.mlpBias);
  QVERIFY(spec.activation == Activation::Silu);
  QCOMPARE(spec.layers[31].attentionScale, 1.0 / std::sqrt(128.0));
  QCOMPARE(spec.embeddingScale, 1.0);
  QVERIFY(!spec.attentionSoftcap && !spec.logitSoftcap);
  QVERIFY(!spec.tiedHead);
  QVERIFY(*spec.layers[0].rope == RopeSpec{.dims = 128});
  QVERIFY(spec.beginOfSequence == TokenId(1));
  QVERIFY((spec.endOfSequence == std::vector<TokenId>{TokenId(2)}));
  QVERIFY(spec.storedDType == DType::F32);
  QCOMPARE(describe("llama", {{"num_attention_heads", 16}}).spec.kvHeads,
           std::int64_t{16});
}

void tst_llama::llama2GoldenFolderIsRead() {
  const ModelDescription description = goldenOf("llama2_gqa");
  const ModelSpec& spec = description.spec;
  QCOMPARE(sizesOf(spec), std::string("192 48 80 3 6/2 8 128"));
  QCOMPARE(spec.norm.eps, 1e-5);
  QVERIFY(!spec.tiedHead);
  QVERIFY(spec.storedDType == DType::BF16);
  QVERIFY(*spec.layers[2].rope == RopeSpec{.dims = 8});
  QVERIFY(binds(description, "lm_head.weight"));
}

void tst_llama::llama3GoldenFolderIsRead() {
  const ModelDescription description = goldenOf("llama3_tied");
  const ModelSpec& spec = description.spec;
  QCOMPARE(spec.heads, std::int64_t{8});
  QCOMPARE(spec.width, std::int64_t{64});
  QCOMPARE(spec.headDim, std::int64_t{16});
  QCOMPARE(spec.layers[0].attentionScale, 0.25);
  QVERIFY(spec.tiedHead);
  QVERIFY(!binds(description, "lm_head.weight"));
  const RopeSpec& rope = *spec.layers[1].rope;
  QCOMPARE(rope.theta, 500000.0);
  QVERIFY(rope.scaling == RopeScaling::Llama3);
  QCOMPARE(rope.factor, 8.0);
  QCOMPARE(rope.lowFreqFactor, 1.0);
  QCOMPARE(rope.highFreqFactor, 4.0);
  QCOMPARE(rope.originalPositions, std::int64_t{32});
}

void tst_llama::yarnGoldenFolderIsRead() {
  const RopeSpec rope = *goldenOf("llama_yarn").spec.layers[1].rope;
  QVERIFY(rope.scaling == RopeScaling::Yarn && rope.truncate);
  QCOMPARE(rope.factor, 4.0);
  QCOMPARE(rope.originalPositions, std::int64_t{32});
  QCOMPARE(rope.betaFast, 16.0);
  QCOMPARE(rope.betaSlow, 2.0);
}

/// The config has "type" in place of "rope_type", and biases in attention and MLP.
void tst_llama::linearScalingGoldenFolderIsRead() {
  const ModelDescription description = goldenOf("llama_linear_bias");
  const RopeSpec rope = *description.spec.layers[1].rope;
  QVERIFY(rope.scaling == RopeScaling::Linear);
  QCOMPARE(rope.factor, 2.0);
  QVERIFY(binds(description, "layers.1.self_attn.o_proj.bias"));
  QVERIFY(binds(description, "layers.1.mlp.gate_proj.bias"));
}

void tst_llama::attentionBiasCoversFourProjections() {
  const ModelDescription description = describe("llama", {{"attention_bias", true}});
  QVERIFY(description.spec.queryKeyValueBias);
  QVERIFY(description.spec.attentionOutBias);
  for (const char* name : {"q_proj", "k_proj", "v_proj", "o_proj"})
    QVERIFY(binds(description, "layers.31.self_attn." + std::string(name) + ".bias"));
  QVERIFY(!description.spec.mlpBias);
}

void tst_llama::mlpBiasCoversThreeProjections() {
  const ModelDescription description = describe("llama", {{"mlp_bias", true}});
  for (const char* name : {"gate_proj", "up_proj", "down_proj"})
    QVERIFY(binds(description, "layers.0.mlp." + std::string(name) + ".bias"));
  QVERIFY(!description.spec.queryKeyValueBias);
}

void tst_llama::headDimCanDifferFromWidthPerHead() {
  const ModelSpec spec = describe("llama", {{"head_dim", 64}}).spec;
  QCOMPARE(spec.headDim, std::int64_t{64});
  QCOMPARE(spec.layers[0].attentionScale, 0.125);
  QCOMPARE(describe("llama", {{"head_dim", nullptr}}).spec.headDim, std::int64_t{128});
}

void tst_llama::theHeadIsTiedOnRequest() {
  QVERIFY(describe("llama", {{"tie_word_embeddings", true}}).spec.tiedHead);
  QVERIFY(!describe("llama", {{"tie_word_embeddings", false}}).spec.tiedHead);
  QVERIFY_ERROR(describe("llama", {{"tie_word_embeddings", "yes"}}),
                "tie_word_embeddings");
}

void tst_llama::activationNamesAreReadLiterally() {
  QVERIFY(describe("llama", {{"hidden_act", "gelu"}}).spec.activation ==
          Activation::GeluExact);
  QVERIFY(describe("llama", {{"hidden_act", "gelu_pytorch_tanh"}}).spec.activation ==
          Activation::GeluTanh);
  QVERIFY_ERROR(describe("llama", {{"hidden_act", "mish"}}), "hidden_act", "mish");
}

void tst_llama::layersShareARotationAndHaveNoWindow() {
  const ModelSpec spec =
      describe("llama", {{"rope_scaling", {{"type", "linear"}, {"factor", 2.0}}},
                         {"rope_theta", 7e4}})
          .spec;
  for (const LayerSpec& layer : spec.layers) {
    QCOMPARE(layer.rope->theta, 7e4);
    QVERIFY(layer.rope->scaling == RopeScaling::Linear);
    QCOMPARE(layer.rope->factor, 2.0);
    QVERIFY(!layer.window.has_value());
  }
  QVERIFY_ERROR(
      describe("llama", {{"rope_scaling", {{"type", "longrope"}, {"factor", 2.0}}}}),
      "rope_scaling", "longrope");
}

void tst_llama::newerConfigKeysAreRead() {
  const ModelDescription description = describe(
      "llama", {{"dtype", "bfloat16"},
                {"eos_token_id", {2, 3}},
                {"rope_parameters", {{"rope_theta", 5e5}, {"rope_type", "default"}}}});
  QVERIFY(description.spec.storedDType == DType::BF16);
  QCOMPARE(description.spec.layers[0].rope->theta, 5e5);
  QCOMPARE(description.spec.endOfSequence.size(), std::size_t{2});
  QVERIFY(description.unreadKeys.empty());
}

void tst_llama::unsupportedKeysAreReportedOrRefused() {
  QCOMPARE(describe("llama", {{"sliding_window", 4096}, {"embedding_multiplier", 12}})
               .unreadKeys,
           (std::vector<std::string>{"embedding_multiplier", "sliding_window"}));
  QVERIFY_ERROR(describe("llama", {{"quantization_config", {{"quant_method", "gptq"}}}}),
                "quantization_config");
}

EQUIPATCH_TEST(tst_llama)
#include "tst_llama.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "tests/core/checkpoint/family/describing.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

class tst_gemma : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void gemmaOmittedKeysAreTheClassDefaults();
  void gemmaGoldenFolderGivesSizesAndTensors();
  void hiddenActivationOverridesHiddenAct();
  void gemmaConfigKeysAreReadOrRefused();
  void gemma2OmittedKeysAreTheClassDefaults();
  void gemma2GoldenFolderGivesItsSpec();
  void gemma2BlocksHaveFourNorms();
  void gemma2SoftcapsAreNullOrPositive();
  void gemma2WindowsAlternateOrFollowLayerTypes();
  void gemma1To3ShareNormsTokensAndEmbeddings();
  void geluNamesMeanTheTanhApproximation();
  void queryPreAttnScalarSetsAttentionScale();
};

void tst_gemma::gemmaOmittedKeysAreTheClassDefaults() {
  const ModelSpec spec = specOf("gemma");
  QCOMPARE(sizesOf(spec), std::string("256000 3072 24576 28 16/16 256 8192"));
  QVERIFY(spec.norm.storedMinusOne && spec.norm.scaleBeforeRounding);
  QVERIFY(spec.activation == Activation::GeluTanh && spec.tiedHead);
  QCOMPARE(spec.embeddingScale, std::sqrt(3072.0));
  QVERIFY(spec.roundEmbeddingScale);
  QCOMPARE(spec.layers[0].attentionScale, 0.0625);
  QVERIFY(!spec.attentionPostNorm && !spec.mlpPostNorm);
  QVERIFY(!spec.attentionSoftcap && !spec.logitSoftcap);
  QVERIFY(spec.queryKeyNorm == QueryKeyNorm::None);
  QCOMPARE(windowsOf(spec), std::string(28, 'G'));
}

/// The config of the golden folder says "gelu".
void tst_gemma::gemmaGoldenFolderGivesSizesAndTensors() {
  const ModelDescription golden = goldenOf("gemma");
  QCOMPARE(sizesOf(golden.spec), std::string("192 48 96 3 4/1 16 128"));
  QVERIFY(golden.spec.activation == Activation::GeluTanh);
  QCOMPARE(stored(golden, "layers.1.mlp_norm"),
           std::string("model.layers.1.post_attention_layernorm.weight [48]"));
}

void tst_gemma::hiddenActivationOverridesHiddenAct() {
  QVERIFY(specOf("gemma", {{"hidden_act", "silu"}, {"hidden_activation", nullptr}})
              .activation == Activation::Silu);
  QVERIFY(specOf("gemma", {{"hidden_act", "silu"}, {"hidden_activation", "relu"}})
              .activation == Activation::Relu);
}

void tst_gemma::gemmaConfigKeysAreReadOrRefused() {
  QCOMPARE(specOf("gemma", {{"head_dim", 64}}).layers[0].attentionScale, 0.125);
  QVERIFY(!specOf("gemma", {{"tie_word_embeddings", false}}).tiedHead);
  QVERIFY(specOf("gemma", {{"attention_bias", true}}).attentionOutBias);
  QVERIFY_ERROR(specOf("gemma", {{"use_bidirectional_attention", true}}),
                "use_bidirectional_attention");
  QVERIFY_ERROR(specOf("gemma", {{"head_dim", 7}}), "7", "even");
}

void tst_gemma::gemma2OmittedKeysAreTheClassDefaults() {
  const ModelSpec spec = specOf("gemma2");
  QCOMPARE(sizesOf(spec), std::string("256000 2304 9216 26 8/4 256 8192"));
  QCOMPARE(spec.attentionSoftcap.value(), 50.0);
  QCOMPARE(spec.logitSoftcap.value(), 30.0);
  QCOMPARE(spec.layers[0].attentionScale, 0.0625);
  QCOMPARE(spec.embeddingScale, 48.0);
  QVERIFY(spec.attentionPostNorm && spec.mlpPostNorm && spec.tiedHead);
  QVERIFY(spec.layers[0].window == std::int64_t{4096});
}

void tst_gemma::gemma2GoldenFolderGivesItsSpec() {
  const ModelDescription golden = goldenOf("gemma2");
  const ModelSpec& spec = golden.spec;
  QCOMPARE(sizesOf(spec), std::string("192 48 96 4 4/2 16 128"));
  QCOMPARE(spec.attentionSoftcap.value(), 12.0);
  QCOMPARE(spec.logitSoftcap.value(), 9.0);
  QCOMPARE(spec.layers[3].attentionScale, 1.0 / std::sqrt(12.0));
  QCOMPARE(windowsOf(spec), std::string("LGLG"));
  QVERIFY(spec.layers[2].window == std::int64_t{6});
}

/// "post_attention_layernorm" is a post-norm here, unlike in Llama.
void tst_gemma::gemma2BlocksHaveFourNorms() {
  const ModelDescription golden = goldenOf("gemma2");
  const std::string layer = "model.layers.0.";
  QCOMPARE(stored(golden, "layers.0.attn_norm"), layer + "input_layernorm.weight [48]");
  QCOMPARE(stored(golden, "layers.0.attn_post_norm"),
           layer + "post_attention_layernorm.weight [48]");
  QCOMPARE(stored(golden, "layers.0.mlp_norm"),
           layer + "pre_feedforward_layernorm.weight [48]");
  QCOMPARE(stored(golden, "layers.0.mlp_post_norm"),
           layer + "post_feedforward_layernorm.weight [48]");
}

void tst_gemma::gemma2SoftcapsAreNullOrPositive() {
  const ModelSpec spec = specOf("gemma2", {{"attn_logit_softcapping", nullptr},
                                           {"final_logit_softcapping", nullptr}});
  QVERIFY(!spec.attentionSoftcap && !spec.logitSoftcap);
  QVERIFY_ERROR(specOf("gemma2", {{"attn_logit_softcapping", -1}}),
                "attn_logit_softcapping", "positive");
}

void tst_gemma::gemma2WindowsAlternateOrFollowLayerTypes() {
  Json config = {{"num_hidden_layers", 3}, {"sliding_window", 8}};
  QCOMPARE(windowsOf(specOf("gemma2", config)), std::string("LGL"));
  config["layer_types"] = {"full_attention", "full_attention", "sliding_attention"};
  QCOMPARE(windowsOf(specOf("gemma2", config)), std::string("GGL"));
  config["sliding_window"] = nullptr;
  QCOMPARE(windowsOf(specOf("gemma2", config)), std::string("GGG"));
  config["layer_types"] = {"full_attention"};
  QVERIFY_ERROR(specOf("gemma2", config), "layer_types", "a list of 3");
}

void tst_gemma::gemma1To3ShareNormsTokensAndEmbeddings() {
  for (const char* type : {"gemma", "gemma2", "gemma3_text"}) {
    const ModelSpec spec = specOf(type, {{"hidden_size", 16}});
    QVERIFY(spec.norm.kind == NormKind::Rms && !spec.norm.bias);
    QVERIFY(spec.norm.storedMinusOne && spec.norm.scaleBeforeRounding);
    QCOMPARE(spec.norm.eps, 1e-6);
    QCOMPARE(spec.embeddingScale, 4.0);
    QVERIFY(spec.roundEmbeddingScale && spec.tiedHead);
    QVERIFY(spec.beginOfSequence == TokenId(2));
    QVERIFY((spec.endOfSequence == std::vector<TokenId>{TokenId(1)}));
  }
}

void tst_gemma::geluNamesMeanTheTanhApproximation() {
  for (const char* type : {"gemma", "gemma2", "gemma3_text"}) {
    QVERIFY(specOf(type).activation == Activation::GeluTanh);
    for (const char* key : {"hidden_act", "hidden_activation"})
      for (const char* name : {"gelu", "gelu_new", "gelu_pytorch_tanh"})
        QVERIFY(specOf(type, {{key, name}}).activation == Activation::GeluTanh);
    QVERIFY_ERROR(specOf(type, {{"hidden_activation", "mish"}}), "hidden_activation",
                  "mish");
  }
}

void tst_gemma::queryPreAttnScalarSetsAttentionScale() {
  for (const char* type : {"gemma2", "gemma3_text"}) {
    const auto scale = [&](const Json& config) {
      return specOf(type, config).layers[1].attentionScale;
    };
    QCOMPARE(scale(Json::object()), 0.0625);
    QCOMPARE(scale({{"query_pre_attn_scalar", 16}}), 0.25);
    for (const int bad : {0, -16})
      QVERIFY_ERROR(scale({{"query_pre_attn_scalar", bad}}), "query_pre_attn_scalar",
                    "positive");
  }
}

EQUIPATCH_TEST(tst_gemma)
#include "tst_gemma.moc"

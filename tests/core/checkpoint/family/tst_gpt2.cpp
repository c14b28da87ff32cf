// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "tests/core/checkpoint/family/describing.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

class tst_gpt2 : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void gpt2OmittedKeysAreTheClassDefaults();
  void goldenFolderGivesSizesAndTensors();
  void theTransformerPrefixIsOptional();
  void theInnerWidthIsFourTimesTheWidthUnlessGiven();
  void configKeysSetTheAttentionScale();
  void headsMayHaveAnOddSize();
  void gpt2KeysAreReadOrRefused();
  void openaiGptOmittedKeysAreTheClassDefaults();
  void openaiGptNormalisesAfterEachSum();
  void openaiGptTensorsHaveTheirStoredNames();
  void openaiGptGeluMeansTheTanhApproximation();
  void openaiGptReportsOnlyUnknownKeys();
  void everyTensorIsBound();
};

void tst_gpt2::gpt2OmittedKeysAreTheClassDefaults() {
  const ModelSpec spec = specOf("gpt2");
  QCOMPARE(sizesOf(spec), std::string("50257 768 3072 12 12/12 64 1024"));
  QVERIFY(spec.norm.kind == NormKind::Layer && spec.norm.bias);
  QVERIFY(spec.norm.scaleBeforeRounding);
  QCOMPARE(spec.norm.eps, 1e-5);
  QVERIFY(spec.learnedPositions && !spec.layers[0].rope);
  QVERIFY(spec.activation == Activation::GeluTanh && spec.mlpForm == MlpForm::Plain);
  QVERIFY(spec.mlpInput == MlpInput::ResidMid && spec.tiedHead);
  QVERIFY(spec.queryKeyValueBias && spec.attentionOutBias && spec.mlpBias);
  QVERIFY(!spec.headBias);
  QCOMPARE(spec.layers[11].attentionScale, 0.125);
  QVERIFY(spec.beginOfSequence == TokenId(50256));
  QVERIFY((spec.endOfSequence == std::vector<TokenId>{TokenId(50256)}));
}

/// Matrices are [inputs, outputs]; W_q, W_k and W_v share a tensor.
void tst_gpt2::goldenFolderGivesSizesAndTensors() {
  const ModelDescription golden = goldenOf("gpt2");
  QCOMPARE(sizesOf(golden.spec), std::string("192 48 192 3 4/4 12 64"));
  const std::string layer = "transformer.h.1.";
  QCOMPARE(stored(golden, "layers.1.W_q"),
           layer + "attn.c_attn.weight [48, 144] ᵀ 0/3 of 1");
  QCOMPARE(stored(golden, "layers.1.W_v"),
           layer + "attn.c_attn.weight [48, 144] ᵀ 2/3 of 1");
  QCOMPARE(stored(golden, "layers.1.b_k"), layer + "attn.c_attn.bias [144] 1/3 of 1");
  QCOMPARE(stored(golden, "layers.1.W_o"), layer + "attn.c_proj.weight [48, 48] ᵀ");
  QCOMPARE(stored(golden, "layers.1.W_in"), layer + "mlp.c_fc.weight [48, 192] ᵀ");
  QCOMPARE(stored(golden, "layers.1.W_down"), layer + "mlp.c_proj.weight [192, 48] ᵀ");
  QCOMPARE(stored(golden, "layers.1.mlp_norm.bias"), layer + "ln_2.bias [48]");
  QCOMPARE(stored(golden, "positions"), std::string("transformer.wpe.weight [64, 48]"));
  QCOMPARE(stored(golden, "final_norm"), std::string("transformer.ln_f.weight [48]"));
}

void tst_gpt2::theTransformerPrefixIsOptional() {
  const ModelDescription description = describe("gpt2", Json::object());
  QCOMPARE(description.schemes.size(), std::size_t{2});
  QCOMPARE(description.schemes[0].body, std::string("transformer."));
  QCOMPARE(description.schemes[1].body, std::string());
  QVERIFY(description.schemes[0].head.empty() && description.schemes[1].head.empty());
  QCOMPARE(stored(describe("gpt2", {{"tie_word_embeddings", false}}), "head"),
           std::string("lm_head.weight [50257, 768]"));
}

void tst_gpt2::theInnerWidthIsFourTimesTheWidthUnlessGiven() {
  QCOMPARE(specOf("gpt2", {{"n_embd", 24}, {"n_inner", nullptr}}).mlpWidth,
           std::int64_t{96});
  QCOMPARE(specOf("gpt2", {{"n_inner", 100}}).mlpWidth, std::int64_t{100});
}

void tst_gpt2::configKeysSetTheAttentionScale() {
  const ModelSpec plain = specOf("gpt2", {{"scale_attn_weights", false}});
  QCOMPARE(plain.layers[3].attentionScale, 1.0);
  const ModelSpec deep = specOf("gpt2", {{"scale_attn_by_inverse_layer_idx", true}});
  QCOMPARE(deep.layers[0].attentionScale, 0.125);
  QCOMPARE(deep.layers[3].attentionScale, 0.125 / 4.0);
  QVERIFY(describe("gpt2", {{"reorder_and_upcast_attn", true}}).unreadKeys.empty());
}

/// Only a rotary embedding needs an even size.
void tst_gpt2::headsMayHaveAnOddSize() {
  QCOMPARE(specOf("gpt2", {{"n_embd", 21}, {"n_head", 3}}).headDim, std::int64_t{7});
  QVERIFY_ERROR(specOf("gpt2", {{"n_embd", 20}, {"n_head", 3}}), "n_embd", "n_head");
}

void tst_gpt2::gpt2KeysAreReadOrRefused() {
  QVERIFY(specOf("gpt2", {{"activation_function", "relu"}}).activation ==
          Activation::Relu);
  QVERIFY_ERROR(specOf("gpt2", {{"activation_function", "tanh"}}), "tanh");
  QCOMPARE(specOf("gpt2", {{"layer_norm_epsilon", 1e-6}}).norm.eps, 1e-6);
  QVERIFY_ERROR(specOf("gpt2", {{"add_cross_attention", true}}), "add_cross_attention");
  QVERIFY_ERROR(specOf("gpt2", {{"n_positions", 0}}), "n_positions");
  QVERIFY(describe("gpt2", {{"n_ctx", 1024}, {"summary_type", "cls_index"}})
              .unreadKeys.empty());
  QCOMPARE(describe("gpt2", {{"num_key_value_heads", 2}}).unreadKeys,
           std::vector<std::string>{"num_key_value_heads"});
}

void tst_gpt2::openaiGptOmittedKeysAreTheClassDefaults() {
  const ModelSpec spec = specOf("openai-gpt");
  QCOMPARE(sizesOf(spec), std::string("40478 768 3072 12 12/12 64 512"));
  QVERIFY(spec.norm.kind == NormKind::Layer && spec.norm.bias);
  QCOMPARE(spec.norm.eps, 1e-5);
  QVERIFY(spec.learnedPositions && !spec.layers[0].rope && spec.tiedHead);
  QVERIFY(spec.queryKeyValueBias && spec.attentionOutBias && spec.mlpBias);
  QVERIFY(spec.mlpForm == MlpForm::Plain && spec.mlpInput == MlpInput::ResidMid);
  QCOMPARE(spec.layers[11].attentionScale, 0.125);
}

void tst_gpt2::openaiGptNormalisesAfterEachSum() {
  const ModelSpec spec = specOf("openai-gpt");
  QVERIFY(!spec.attentionPreNorm && !spec.mlpPreNorm && !spec.finalNorm);
  QVERIFY(spec.attentionPostNorm && spec.mlpPostNorm);
  QVERIFY(spec.postNormPlace == PostNormPlace::Sum);
  QVERIFY(!spec.scalesBranch() && !spec.closesWithNormBias());
}

void tst_gpt2::openaiGptTensorsHaveTheirStoredNames() {
  const ModelDescription gpt = describe("openai-gpt", {{"n_embd", 24}, {"n_head", 3}});
  const std::string layer = "transformer.h.1.";
  QCOMPARE(stored(gpt, "embed"),
           std::string("transformer.tokens_embed.weight [40478, 24]"));
  QCOMPARE(stored(gpt, "positions"),
           std::string("transformer.positions_embed.weight [512, 24]"));
  QCOMPARE(stored(gpt, "layers.1.W_q"), layer + "attn.c_attn.weight [24, 72] ᵀ 0/3 of 1");
  QCOMPARE(stored(gpt, "layers.1.W_down"), layer + "mlp.c_proj.weight [96, 24] ᵀ");
  QCOMPARE(stored(gpt, "layers.1.attn_post_norm"), layer + "ln_1.weight [24]");
  QCOMPARE(stored(gpt, "layers.1.mlp_post_norm.bias"), layer + "ln_2.bias [24]");
  QCOMPARE(gpt.schemes[1].body, std::string());
}

void tst_gpt2::openaiGptGeluMeansTheTanhApproximation() {
  QVERIFY(specOf("openai-gpt").activation == Activation::GeluTanh);
  QVERIFY(specOf("openai-gpt", {{"afn", "gelu"}}).activation == Activation::GeluTanh);
  QVERIFY(specOf("openai-gpt", {{"afn", "relu"}}).activation == Activation::Relu);
  QVERIFY(specOf("openai-gpt", {{"afn", "swish"}}).activation == Activation::Silu);
  QVERIFY_ERROR(specOf("openai-gpt", {{"afn", "tanh"}}), "tanh");
}

void tst_gpt2::openaiGptReportsOnlyUnknownKeys() {
  QVERIFY(describe("openai-gpt", {{"n_ctx", 512},
                                  {"n_special", 0},
                                  {"predict_special_tokens", true},
                                  {"summary_type", "cls_index"}})
              .unreadKeys.empty());
  QCOMPARE(describe("openai-gpt", {{"n_inner", 100}}).unreadKeys,
           std::vector<std::string>{"n_inner"});
  QCOMPARE(specOf("openai-gpt", {{"n_inner", 100}}).mlpWidth, std::int64_t{3072});
}

void tst_gpt2::everyTensorIsBound() {
  const Json sizes = {{"n_embd", 6}, {"n_layer", 3}, {"n_head", 1}};
  const ModelDescription gpt2 = describe("gpt2", sizes);
  QCOMPARE(gpt2.tensors.size(), std::size_t{2 + 3 * 16 + 2});
  const auto find = [&](const std::string& name) {
    return *std::find_if(gpt2.tensors.begin(), gpt2.tensors.end(),
                         [&](const TensorBinding& one) { return one.name == name; });
  };
  QCOMPARE(find("embed").checkpointName, std::string("wte.weight"));
  QCOMPARE(find("final_norm.bias").checkpointName, std::string("ln_f.bias"));
  QCOMPARE(find("layers.2.attn_norm").checkpointName, std::string("h.2.ln_1.weight"));
  QCOMPARE(find("layers.2.mlp_norm.bias").checkpointName, std::string("h.2.ln_2.bias"));
  const TensorBinding in = find("layers.2.W_in"), k = find("layers.2.W_k");
  QCOMPARE(in.checkpointName, std::string("h.2.mlp.c_fc.weight"));
  QVERIFY(in.part.transposed);
  QCOMPARE(storedShape(in), (std::vector<std::int64_t>{6, 24}));
  QCOMPARE(storedShape(k), (std::vector<std::int64_t>{6, 18}));
  QCOMPARE(k.part.index, std::int64_t{1});
  QVERIFY(!find("layers.2.b_v").part.transposed);
  QCOMPARE(describe("openai-gpt", sizes).tensors.size(), std::size_t{2 + 3 * 16});
}

EQUIPATCH_TEST(tst_gpt2)
#include "tst_gpt2.moc"

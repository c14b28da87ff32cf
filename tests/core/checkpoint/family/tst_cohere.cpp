// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/checkpoint/family/describing.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

class tst_cohere : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void omittedKeysAreTheClassDefaults();
  void goldenFolderGivesSizesAndTensors();
  void eachHeadHasItsOwnQueryAndKeyNorms();
  void configKeysAreRead();
};

void tst_cohere::omittedKeysAreTheClassDefaults() {
  const ModelSpec spec = specOf("cohere");
  QCOMPARE(sizesOf(spec), std::string("256000 8192 22528 40 64/64 128 8192"));
  QVERIFY(spec.norm.kind == NormKind::Layer && !spec.norm.bias);
  QVERIFY(spec.norm.scaleBeforeRounding);
  QCOMPARE(spec.norm.eps, 1e-5);
  QCOMPARE(spec.logitScale, 0.0625);
  QVERIFY(spec.tiedHead && spec.mlpForm == MlpForm::Gated);
  QVERIFY(spec.mlpInput == MlpInput::AttentionInput);
  QVERIFY(spec.beginOfSequence == TokenId(5));
  QVERIFY((spec.endOfSequence == std::vector<TokenId>{TokenId(255001)}));
  QVERIFY(spec.layers[0].rope->pairs == RopePairs::Interleaved);
}

void tst_cohere::goldenFolderGivesSizesAndTensors() {
  const ModelDescription golden = goldenOf("cohere");
  QCOMPARE(sizesOf(golden.spec), std::string("192 48 80 3 6/2 8 128"));
  QCOMPARE(golden.spec.logitScale, 0.25);
  QCOMPARE(stored(golden, "layers.2.attn_norm"),
           std::string("model.layers.2.input_layernorm.weight [48]"));
  QVERIFY(stored(golden, "layers.2.attn_norm.bias").empty());
  QVERIFY(stored(golden, "layers.2.mlp_norm").empty());
  QVERIFY(stored(golden, "head").empty());
}

/// Command R+ has a norm scale for each head.
void tst_cohere::eachHeadHasItsOwnQueryAndKeyNorms() {
  const ModelDescription description =
      describe("cohere", {{"use_qk_norm", true}, {"num_key_value_heads", 8}});
  QVERIFY(description.spec.queryKeyNorm == QueryKeyNorm::OwnPerHead);
  QCOMPARE(stored(description, "layers.0.q_norm"),
           std::string("model.layers.0.self_attn.q_norm.weight [64, 128]"));
  QCOMPARE(stored(description, "layers.0.k_norm"),
           std::string("model.layers.0.self_attn.k_norm.weight [8, 128]"));
}

void tst_cohere::configKeysAreRead() {
  QCOMPARE(specOf("cohere", {{"layer_norm_eps", 1e-4}}).norm.eps, 1e-4);
  QCOMPARE(specOf("cohere", {{"rope_theta", 8e6}}).layers[0].rope->theta, 8e6);
  QVERIFY(specOf("cohere", {{"attention_bias", true}}).attentionOutBias);
  QVERIFY(!specOf("cohere", {{"tie_word_embeddings", false}}).tiedHead);
  QVERIFY_ERROR(specOf("cohere", {{"logit_scale", 0}}), "logit_scale", "positive");
}

EQUIPATCH_TEST(tst_cohere)
#include "tst_cohere.moc"

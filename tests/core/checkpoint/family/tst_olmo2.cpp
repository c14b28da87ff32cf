// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/checkpoint/family/describing.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

class tst_olmo2 : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void omittedKeysAreTheClassDefaults();
  void normsComeAfter();
  void theGoldenFolder();
  void queryAndKeyNormsHaveTheWholeWidth();
  void keysThatAreRead();
};

void tst_olmo2::omittedKeysAreTheClassDefaults() {
  const ModelSpec spec = specOf("olmo2");
  QCOMPARE(sizesOf(spec), std::string("50304 4096 11008 32 32/32 128 2048"));
  QCOMPARE(spec.norm.eps, 1e-5);
  QVERIFY(!spec.tiedHead && !spec.beginOfSequence);
  QVERIFY((spec.endOfSequence == std::vector<TokenId>{TokenId(50279)}));
  QCOMPARE(spec.layers[0].rope->theta, 10000.0);
}

/// Post-norms only, which multiply before rounding.
void tst_olmo2::normsComeAfter() {
  const ModelSpec spec = specOf("olmo2");
  QVERIFY(!spec.attentionPreNorm && !spec.mlpPreNorm);
  QVERIFY(spec.attentionPostNorm && spec.mlpPostNorm);
  QVERIFY(spec.mlpInput == MlpInput::ResidMid);
  QVERIFY(spec.norm.scaleBeforeRounding && !spec.norm.storedMinusOne);
}

void tst_olmo2::theGoldenFolder() {
  const ModelDescription golden = goldenOf("olmo2");
  QCOMPARE(sizesOf(golden.spec), std::string("192 48 80 3 6/2 8 128"));
  const std::string layer = "model.layers.1.";
  QCOMPARE(stored(golden, "layers.1.attn_post_norm"),
           layer + "post_attention_layernorm.weight [48]");
  QCOMPARE(stored(golden, "layers.1.mlp_post_norm"),
           layer + "post_feedforward_layernorm.weight [48]");
  QVERIFY(stored(golden, "layers.1.attn_norm").empty());
  QVERIFY(stored(golden, "layers.1.mlp_norm").empty());
}

/// One norm over all heads, of fewer heads for keys than for queries.
void tst_olmo2::queryAndKeyNormsHaveTheWholeWidth() {
  const ModelDescription golden = goldenOf("olmo2");
  QVERIFY(golden.spec.queryKeyNorm == QueryKeyNorm::WholeWidth);
  QCOMPARE(stored(golden, "layers.0.q_norm"),
           std::string("model.layers.0.self_attn.q_norm.weight [48]"));
  QCOMPARE(stored(golden, "layers.0.k_norm"),
           std::string("model.layers.0.self_attn.k_norm.weight [16]"));
}

void tst_olmo2::keysThatAreRead() {
  QVERIFY(specOf("olmo2", {{"attention_bias", true}}).attentionOutBias);
  QCOMPARE(
      specOf("olmo2", {{"rope_parameters", {{"rope_theta", 5e5}}}}).layers[0].rope->theta,
      5e5);
  QVERIFY_ERROR(specOf("olmo2", {{"clip_qkv", 8.0}}), "clip_qkv");
}

EQUIPATCH_TEST(tst_olmo2)
#include "tst_olmo2.moc"

#include <cmath>

#include "tests/core/checkpoint/family/describing.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

class tst_gemma2 : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void omittedKeysAreTheClassDefaults();
  void theGoldenFolder();
  void fourNorms();
  void capsCanBeSwitchedOff();
  void windows();
  void scaleOfTheQueryScalar();
};

void tst_gemma2::omittedKeysAreTheClassDefaults() {
  const ModelSpec spec = specOf("gemma2");
  QCOMPARE(sizesOf(spec), std::string("256000 2304 9216 26 8/4 256 8192"));
  QCOMPARE(spec.attentionSoftcap.value(), 50.0);
  QCOMPARE(spec.logitSoftcap.value(), 30.0);
  QCOMPARE(spec.layers[0].attentionScale, 0.0625);
  QCOMPARE(spec.embeddingScale, 48.0);
  QVERIFY(spec.attentionPostNorm && spec.mlpPostNorm && spec.tiedHead);
  QVERIFY(spec.layers[0].window == std::int64_t{4096});
}

void tst_gemma2::theGoldenFolder() {
  const ModelDescription golden = goldenOf("gemma2");
  const ModelSpec& spec = golden.spec;
  QCOMPARE(sizesOf(spec), std::string("192 48 96 4 4/2 16 128"));
  QCOMPARE(spec.attentionSoftcap.value(), 12.0);
  QCOMPARE(spec.logitSoftcap.value(), 9.0);
  QCOMPARE(spec.layers[3].attentionScale, 1.0 / std::sqrt(12.0));
  QCOMPARE(windowsOf(spec), std::string("LGLG"));
  QVERIFY(spec.layers[2].window == std::int64_t{6});
}

/// "post_attention_layernorm" is not what it is in Llama.
void tst_gemma2::fourNorms() {
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

void tst_gemma2::capsCanBeSwitchedOff() {
  const ModelSpec spec = specOf("gemma2", {{"attn_logit_softcapping", nullptr},
                                           {"final_logit_softcapping", nullptr}});
  QVERIFY(!spec.attentionSoftcap && !spec.logitSoftcap);
  QVERIFY_ERROR(specOf("gemma2", {{"attn_logit_softcapping", -1}}),
                "attn_logit_softcapping", "positive");
}

void tst_gemma2::windows() {
  Json config = {{"num_hidden_layers", 3}, {"sliding_window", 8}};
  QCOMPARE(windowsOf(specOf("gemma2", config)), std::string("LGL"));
  config["layer_types"] = {"full_attention", "full_attention", "sliding_attention"};
  QCOMPARE(windowsOf(specOf("gemma2", config)), std::string("GGL"));
  config["sliding_window"] = nullptr;
  QCOMPARE(windowsOf(specOf("gemma2", config)), std::string("GGG"));
  config["layer_types"] = {"full_attention"};
  QVERIFY_ERROR(specOf("gemma2", config), "layer_types", "a list of 3");
}

void tst_gemma2::scaleOfTheQueryScalar() {
  QCOMPARE(specOf("gemma2", {{"query_pre_attn_scalar", 144}}).layers[1].attentionScale,
           1.0 / 12.0);
  QVERIFY_ERROR(specOf("gemma2", {{"query_pre_attn_scalar", 0}}),
                "query_pre_attn_scalar");
}

EQUIPATCH_TEST(tst_gemma2)
#include "tst_gemma2.moc"

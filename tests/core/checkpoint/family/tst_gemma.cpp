#include <cmath>

#include "tests/core/checkpoint/family/describing.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

class tst_gemma : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void omittedKeysAreTheClassDefaults();
  void theGoldenFolder();
  void geluMeansTheTanhForm();
  void keysThatAreRead();
};

void tst_gemma::omittedKeysAreTheClassDefaults() {
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

/// Its config says "gelu".
void tst_gemma::theGoldenFolder() {
  const ModelDescription golden = goldenOf("gemma");
  QCOMPARE(sizesOf(golden.spec), std::string("192 48 96 3 4/1 16 128"));
  QVERIFY(golden.spec.activation == Activation::GeluTanh);
  QCOMPARE(stored(golden, "layers.1.mlp_norm"),
           std::string("model.layers.1.post_attention_layernorm.weight [48]"));
}

void tst_gemma::geluMeansTheTanhForm() {
  for (const char* key : {"hidden_act", "hidden_activation"})
    QVERIFY(specOf("gemma", {{key, "gelu"}}).activation == Activation::GeluTanh);
  QVERIFY(specOf("gemma", {{"hidden_act", "silu"}, {"hidden_activation", nullptr}})
              .activation == Activation::Silu);
  QVERIFY(specOf("gemma", {{"hidden_act", "silu"}, {"hidden_activation", "relu"}})
              .activation == Activation::Relu);
}

void tst_gemma::keysThatAreRead() {
  QCOMPARE(specOf("gemma", {{"head_dim", 64}}).layers[0].attentionScale, 0.125);
  QVERIFY(!specOf("gemma", {{"tie_word_embeddings", false}}).tiedHead);
  QVERIFY(specOf("gemma", {{"attention_bias", true}}).attentionOutBias);
  QVERIFY_ERROR(specOf("gemma", {{"use_bidirectional_attention", true}}),
                "use_bidirectional_attention");
  QVERIFY_ERROR(specOf("gemma", {{"head_dim", 7}}), "7", "even");
}

EQUIPATCH_TEST(tst_gemma)
#include "tst_gemma.moc"

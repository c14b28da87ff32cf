// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/checkpoint/family/describing.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

class tst_granite : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void omittedKeysAreTheClassDefaults();
  void goldenFolderGivesSizesAndTensors();
  void fourMultipliersAreRead();
  void multipliersMustBePositive();
  void configKeysAddBiases();
  void mlpNormHasLlamasNameAndHeadCanBeTied();
  void expertsAreRefused();
};

void tst_granite::omittedKeysAreTheClassDefaults() {
  const ModelSpec spec = specOf("granite");
  QCOMPARE(sizesOf(spec), std::string("32000 4096 11008 32 32/32 128 2048"));
  QCOMPARE(spec.norm.eps, 1e-6);
  QCOMPARE(spec.embeddingScale, 1.0);
  QCOMPARE(spec.residualScale, 1.0);
  QCOMPARE(spec.logitScale, 1.0);
  QCOMPARE(spec.layers[0].attentionScale, 1.0);  // not 1/sqrt(128)
  QVERIFY(!spec.tiedHead);
}

void tst_granite::goldenFolderGivesSizesAndTensors() {
  const ModelDescription golden = goldenOf("granite");
  QCOMPARE(sizesOf(golden.spec), std::string("192 48 80 3 6/2 8 128"));
  QCOMPARE(golden.spec.embeddingScale, 6.0);
  QCOMPARE(golden.spec.residualScale, 0.4);
  QCOMPARE(golden.spec.logitScale, 1.0 / 3.0);
  QCOMPARE(golden.spec.layers[2].attentionScale, 0.11);
  QVERIFY(golden.spec.tiedHead);
}

/// The values of Granite 3.0 2B. Its headDim is 64, but its attention_multiplier is 1/64,
/// not 1/√64.
void tst_granite::fourMultipliersAreRead() {
  const ModelSpec spec = specOf("granite", {{"embedding_multiplier", 12.0},
                                            {"residual_multiplier", 0.22},
                                            {"attention_multiplier", 0.015625},
                                            {"logits_scaling", 8.0}});
  QCOMPARE(spec.embeddingScale, 12.0);
  QVERIFY(!spec.roundEmbeddingScale);
  QCOMPARE(spec.residualScale, 0.22);
  QCOMPARE(spec.logitScale, 0.125);  // the key divides
  for (const LayerSpec& layer : spec.layers) QCOMPARE(layer.attentionScale, 0.015625);
}

void tst_granite::multipliersMustBePositive() {
  for (const char* key : {"embedding_multiplier", "residual_multiplier",
                          "attention_multiplier", "logits_scaling"})
    for (const double bad : {0.0, -1.0, 1e-320})
      QVERIFY_ERROR(specOf("granite", {{key, bad}}), key, "positive");
}

void tst_granite::configKeysAddBiases() {
  const ModelSpec spec =
      specOf("granite", {{"attention_bias", true}, {"mlp_bias", true}});
  QVERIFY(spec.queryKeyValueBias && spec.attentionOutBias && spec.mlpBias);
}

void tst_granite::mlpNormHasLlamasNameAndHeadCanBeTied() {
  const ModelDescription description =
      describe("granite", {{"tie_word_embeddings", true}});
  QCOMPARE(stored(description, "layers.3.mlp_norm"),
           std::string("model.layers.3.post_attention_layernorm.weight [4096]"));
  QVERIFY(stored(description, "head").empty());
}

void tst_granite::expertsAreRefused() {
  QVERIFY_ERROR(specOf("granite", {{"num_local_experts", 32}}), "num_local_experts");
}

EQUIPATCH_TEST(tst_granite)
#include "tst_granite.moc"

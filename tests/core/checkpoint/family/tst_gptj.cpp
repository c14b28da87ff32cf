// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/checkpoint/family/describing.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

class tst_gptj : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void omittedKeysAreTheClassDefaults();
  void goldenFolderGivesSizesAndTensors();
  void rotaryDimIsReadAndChecked();
  void attentionScaleKeyIsIgnoredAndHeadCanBeTied();
};

void tst_gptj::omittedKeysAreTheClassDefaults() {
  const ModelSpec spec = specOf("gptj");
  QCOMPARE(sizesOf(spec), std::string("50400 4096 16384 28 16/16 256 2048"));
  QVERIFY(spec.norm.kind == NormKind::Layer && spec.norm.bias);
  QVERIFY(spec.mlpInput == MlpInput::AttentionInput);
  QVERIFY(spec.activation == Activation::GeluTanh && spec.mlpForm == MlpForm::Plain);
  QVERIFY(!spec.queryKeyValueBias && !spec.attentionOutBias);
  QVERIFY(spec.mlpBias && spec.headBias && !spec.tiedHead && !spec.learnedPositions);
  const RopeSpec rope{.dims = 64, .pairs = RopePairs::Interleaved};
  QVERIFY(*spec.layers[0].rope == rope);
  QCOMPARE(spec.layers[0].attentionScale, 0.0625);
}

void tst_gptj::goldenFolderGivesSizesAndTensors() {
  const ModelDescription golden = goldenOf("gptj");
  QCOMPARE(sizesOf(golden.spec), std::string("192 48 192 3 3/3 16 64"));
  QCOMPARE(golden.spec.layers[2].rope->dims, std::int64_t{8});
  const std::string layer = "transformer.h.1.";
  QCOMPARE(stored(golden, "layers.1.W_k"), layer + "attn.k_proj.weight [48, 48]");
  QCOMPARE(stored(golden, "layers.1.W_o"), layer + "attn.out_proj.weight [48, 48]");
  QCOMPARE(stored(golden, "layers.1.W_in"), layer + "mlp.fc_in.weight [192, 48]");
  QCOMPARE(stored(golden, "layers.1.b_down"), layer + "mlp.fc_out.bias [48]");
  QCOMPARE(stored(golden, "layers.1.attn_norm.bias"), layer + "ln_1.bias [48]");
  QVERIFY(stored(golden, "layers.1.mlp_norm").empty());
  QVERIFY(stored(golden, "layers.1.b_q").empty());
  QCOMPARE(stored(golden, "head"), std::string("lm_head.weight [192, 48]"));
  QCOMPARE(stored(golden, "b_head"), std::string("lm_head.bias [192]"));
}

void tst_gptj::rotaryDimIsReadAndChecked() {
  QCOMPARE(specOf("gptj", {{"rotary_dim", 32}}).layers[0].rope->dims, std::int64_t{32});
  QVERIFY_ERROR(specOf("gptj", {{"rotary_dim", 7}}), "rotary_dim", "7", "even");
  QVERIFY_ERROR(specOf("gptj", {{"rotary_dim", 258}}), "rotary_dim", "256");
  QVERIFY_ERROR(specOf("gptj", {{"n_embd", 256}}), "rotary_dim", "64", "16");
  QVERIFY_ERROR(specOf("gptj", {{"rotary_dim", nullptr}}), "rotary_dim");
  QVERIFY_ERROR(specOf("gptj", {{"rotary", false}}), "rotary");
}

/// transformers always scales attention, whatever the key says.
void tst_gptj::attentionScaleKeyIsIgnoredAndHeadCanBeTied() {
  const ModelDescription description =
      describe("gptj", {{"scale_attn_weights", false}, {"rotary", true}});
  QCOMPARE(description.spec.layers[0].attentionScale, 0.0625);
  QVERIFY(description.unreadKeys.empty());
  const ModelDescription tied = describe("gptj", {{"tie_word_embeddings", true}});
  QVERIFY(stored(tied, "head").empty() && !stored(tied, "b_head").empty());
}

EQUIPATCH_TEST(tst_gptj)
#include "tst_gptj.moc"

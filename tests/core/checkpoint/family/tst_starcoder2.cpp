// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/checkpoint/family/describing.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

class tst_starcoder2 : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void omittedKeysAreTheClassDefaults();
  void goldenFolderGivesSizesAndTensors();
  void configKeysAreRead();
  void keysUnknownToTheClassAreIgnoredOrRefused();
};

void tst_starcoder2::omittedKeysAreTheClassDefaults() {
  const ModelSpec spec = specOf("starcoder2");
  QCOMPARE(sizesOf(spec), std::string("49152 3072 12288 30 24/2 128 4096"));
  QVERIFY(spec.norm.kind == NormKind::Layer && spec.norm.bias);
  QCOMPARE(spec.norm.eps, 1e-5);
  QVERIFY(spec.mlpForm == MlpForm::Plain && spec.mlpInput == MlpInput::ResidMid);
  QVERIFY(spec.activation == Activation::GeluTanh);
  QVERIFY(spec.queryKeyValueBias && spec.attentionOutBias && spec.mlpBias);
  QVERIFY(spec.tiedHead);
  QVERIFY(!spec.beginOfSequence);  // 50256 is beyond the default vocabulary
  QCOMPARE(windowsOf(spec), std::string(30, 'G'));
}

void tst_starcoder2::goldenFolderGivesSizesAndTensors() {
  const ModelDescription golden = goldenOf("starcoder2");
  QCOMPARE(sizesOf(golden.spec), std::string("192 48 100 3 6/2 8 128"));
  QCOMPARE(windowsOf(golden.spec), std::string("LLL"));
  QCOMPARE(*golden.spec.layers[0].window, std::int64_t{7});
  const std::string layer = "model.layers.1.";
  QCOMPARE(stored(golden, "layers.1.W_in"), layer + "mlp.c_fc.weight [100, 48]");
  QCOMPARE(stored(golden, "layers.1.b_down"), layer + "mlp.c_proj.bias [48]");
  QCOMPARE(stored(golden, "layers.1.b_o"), layer + "self_attn.o_proj.bias [48]");
  QCOMPARE(stored(golden, "layers.1.mlp_norm.bias"),
           layer + "post_attention_layernorm.bias [48]");
}

void tst_starcoder2::configKeysAreRead() {
  const ModelSpec spec = specOf("starcoder2", {{"use_bias", false},
                                               {"norm_epsilon", 1e-4},
                                               {"rope_theta", 3e4},
                                               {"sliding_window", 9},
                                               {"tie_word_embeddings", false}});
  QVERIFY(!spec.queryKeyValueBias && !spec.attentionOutBias && !spec.mlpBias);
  QCOMPARE(spec.norm.eps, 1e-4);
  QCOMPARE(spec.layers[0].rope->theta, 3e4);
  QCOMPARE(*spec.layers[29].window, std::int64_t{9});
  QVERIFY(!spec.tiedHead);
  QVERIFY(specOf("starcoder2", {{"hidden_act", "relu"}}).activation == Activation::Relu);
}

void tst_starcoder2::keysUnknownToTheClassAreIgnoredOrRefused() {
  const ModelDescription description = describe(
      "starcoder2", {{"activation_function", "relu"}, {"layer_norm_epsilon", 0.5}});
  QVERIFY(description.spec.activation == Activation::GeluTanh);
  QCOMPARE(description.spec.norm.eps, 1e-5);
  QVERIFY(description.unreadKeys.empty());
  QVERIFY_ERROR(specOf("starcoder2", {{"mlp_type", "gated"}}), "mlp_type", "gated");
  QVERIFY_ERROR(specOf("starcoder2", {{"norm_type", "rms_norm"}}), "norm_type");
  QVERIFY_ERROR(specOf("starcoder2", {{"scale_attn_weights", false}}),
                "scale_attn_weights");
}

EQUIPATCH_TEST(tst_starcoder2)
#include "tst_starcoder2.moc"

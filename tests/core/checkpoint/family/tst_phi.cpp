// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/checkpoint/family/describing.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

class tst_phi : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void omittedKeysAreTheClassDefaults();
  void theGoldenFolder();
  void aPartOfEachHeadRotates();
  void queryAndKeyNormsHaveBiases();
  void aTiedHeadKeepsItsBias();
};

void tst_phi::omittedKeysAreTheClassDefaults() {
  const ModelSpec spec = specOf("phi");
  QCOMPARE(sizesOf(spec), std::string("51200 2048 8192 24 32/32 64 2048"));
  QVERIFY(spec.norm.kind == NormKind::Layer && spec.norm.bias);
  QVERIFY(spec.norm.scaleBeforeRounding);
  QCOMPARE(spec.norm.eps, 1e-5);
  QVERIFY(spec.activation == Activation::GeluTanh);
  QVERIFY(spec.mlpForm == MlpForm::Plain);
  QVERIFY(spec.mlpInput == MlpInput::AttentionInput);
  QVERIFY(spec.queryKeyValueBias && spec.attentionOutBias);
  QVERIFY(spec.mlpBias && spec.headBias && !spec.tiedHead);
  QCOMPARE(spec.layers[0].rope->dims, std::int64_t{32});  // half of each head
}

void tst_phi::theGoldenFolder() {
  const ModelDescription golden = goldenOf("phi");
  QCOMPARE(golden.spec.layers[0].rope->dims, std::int64_t{6});
  const std::string layer = "model.layers.1.";
  QCOMPARE(stored(golden, "layers.1.W_o"), layer + "self_attn.dense.weight [48, 48]");
  QCOMPARE(stored(golden, "layers.1.b_o"), layer + "self_attn.dense.bias [48]");
  QCOMPARE(stored(golden, "layers.1.W_in"), layer + "mlp.fc1.weight [100, 48]");
  QCOMPARE(stored(golden, "layers.1.b_down"), layer + "mlp.fc2.bias [48]");
  QCOMPARE(stored(golden, "layers.1.attn_norm.bias"),
           layer + "input_layernorm.bias [48]");
  QVERIFY(stored(golden, "layers.1.mlp_norm").empty());
  QCOMPARE(stored(golden, "final_norm.bias"),
           std::string("model.final_layernorm.bias [48]"));
  QCOMPARE(stored(golden, "b_head"), std::string("lm_head.bias [192]"));
}

/// Phi 2 rotates 32 of 80 components; newer files state it in rope_parameters.
void tst_phi::aPartOfEachHeadRotates() {
  Json config = {{"hidden_size", 2560}, {"partial_rotary_factor", 0.4}};
  QCOMPARE(specOf("phi", config).layers[0].rope->dims, std::int64_t{32});
  config.erase("partial_rotary_factor");
  config["rope_parameters"] = {{"rope_theta", 1e4}, {"partial_rotary_factor", 0.25}};
  QCOMPARE(specOf("phi", config).layers[0].rope->dims, std::int64_t{20});
  QVERIFY_ERROR(specOf("phi", {{"partial_rotary_factor", 0.0}}), "expected more than 0");
  QVERIFY_ERROR(specOf("phi", {{"partial_rotary_factor", 1.5}}), "at most 1");
  QVERIFY_ERROR(specOf("phi", {{"partial_rotary_factor", 0.33}}), "21", "even");
  QVERIFY_ERROR(specOf("phi", {{"partial_rotary_factor", 0.001}}), "even");
}

void tst_phi::queryAndKeyNormsHaveBiases() {
  const ModelDescription description = describe("phi", {{"qk_layernorm", true}});
  QVERIFY(description.spec.queryKeyNorm == QueryKeyNorm::PerHead);
  QCOMPARE(stored(description, "layers.0.q_norm"),
           std::string("model.layers.0.self_attn.q_layernorm.weight [64]"));
  QCOMPARE(stored(description, "layers.0.k_norm.bias"),
           std::string("model.layers.0.self_attn.k_layernorm.bias [64]"));
}

void tst_phi::aTiedHeadKeepsItsBias() {
  const ModelDescription tied = describe("phi", {{"tie_word_embeddings", true}});
  QVERIFY(stored(tied, "head").empty());
  QVERIFY(!stored(tied, "b_head").empty());
}

EQUIPATCH_TEST(tst_phi)
#include "tst_phi.moc"

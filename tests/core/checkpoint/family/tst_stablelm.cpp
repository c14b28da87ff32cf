// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/checkpoint/family/describing.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

class tst_stablelm : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void omittedKeysAreTheClassDefaults();
  void goldenFolderGivesSizesAndTensors();
  void configKeysAreRead();
  void parallelBlocksHaveOneNorm();
  void eachHeadHasANormOfItsOwn();
  void tooManyHeadNormsAreRefused();
};

void tst_stablelm::omittedKeysAreTheClassDefaults() {
  const ModelSpec spec = specOf("stablelm");
  QCOMPARE(sizesOf(spec), std::string("50304 2560 6912 32 32/32 80 4096"));
  QVERIFY(spec.norm.kind == NormKind::Layer && spec.norm.bias);
  QCOMPARE(spec.norm.eps, 1e-5);
  QVERIFY(spec.mlpForm == MlpForm::Gated && spec.activation == Activation::Silu);
  QVERIFY(!spec.queryKeyValueBias && !spec.attentionOutBias && !spec.mlpBias);
  QVERIFY(!spec.tiedHead && spec.beginOfSequence == TokenId(0));
  QCOMPARE(spec.layers[0].rope->dims, std::int64_t{20});  // a quarter of each head
}

void tst_stablelm::goldenFolderGivesSizesAndTensors() {
  const ModelDescription golden = goldenOf("stablelm");
  QCOMPARE(sizesOf(golden.spec), std::string("192 48 80 3 3/3 16 128"));
  QVERIFY(golden.spec.queryKeyValueBias && !golden.spec.attentionOutBias);
  const std::string layer = "model.layers.1.";
  QCOMPARE(stored(golden, "layers.1.b_v"), layer + "self_attn.v_proj.bias [48]");
  QVERIFY(stored(golden, "layers.1.b_o").empty());
  QCOMPARE(stored(golden, "layers.1.mlp_norm.bias"),
           layer + "post_attention_layernorm.bias [48]");
  QCOMPARE(stored(golden, "final_norm.bias"), std::string("model.norm.bias [48]"));
}

void tst_stablelm::configKeysAreRead() {
  const ModelSpec spec = specOf("stablelm", {{"use_qkv_bias", true},
                                             {"layer_norm_eps", 1e-4},
                                             {"partial_rotary_factor", 0.5},
                                             {"num_key_value_heads", 8},
                                             {"tie_word_embeddings", true}});
  QVERIFY(spec.queryKeyValueBias && !spec.attentionOutBias && spec.tiedHead);
  QCOMPARE(spec.norm.eps, 1e-4);
  QCOMPARE(spec.layers[0].rope->dims, std::int64_t{40});
  QCOMPARE(spec.kvHeads, std::int64_t{8});
}

void tst_stablelm::parallelBlocksHaveOneNorm() {
  const ModelDescription parallel =
      describe("stablelm", {{"use_parallel_residual", true}});
  QVERIFY(parallel.spec.mlpInput == MlpInput::AttentionInput);
  QVERIFY(!stored(parallel, "layers.0.attn_norm.bias").empty());
  QVERIFY(stored(parallel, "layers.0.mlp_norm").empty());
}

void tst_stablelm::eachHeadHasANormOfItsOwn() {
  const ModelDescription normed =
      describe("stablelm", {{"qk_layernorm", true}, {"num_key_value_heads", 4}});
  QVERIFY(normed.spec.queryKeyNorm == QueryKeyNorm::OwnPerHead);
  QCOMPARE(stored(normed, "layers.0.q_norm.31"),
           std::string("model.layers.0.self_attn.q_layernorm.norms.31.weight [80]"));
  QCOMPARE(stored(normed, "layers.0.k_norm.3"),
           std::string("model.layers.0.self_attn.k_layernorm.norms.3.weight [80]"));
  QVERIFY(stored(normed, "layers.0.k_norm.4").empty());
  QVERIFY(stored(normed, "layers.0.k_norm.0.bias").empty());
  QVERIFY(stored(normed, "layers.0.k_norm").empty());
}

void tst_stablelm::tooManyHeadNormsAreRefused() {
  QVERIFY_ERROR(specOf("stablelm", {{"qk_layernorm", true},
                                    {"num_hidden_layers", 1024},
                                    {"num_attention_heads", 1024},
                                    {"num_key_value_heads", 1024},
                                    {"hidden_size", 131072}}),
                "qk_layernorm", "2097152", "131072");
}

EQUIPATCH_TEST(tst_stablelm)
#include "tst_stablelm.moc"

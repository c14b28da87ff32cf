// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/checkpoint/family/describing.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

class tst_falcon : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void omittedKeysAreTheClassDefaults();
  void goldenFolderGivesSizesAndTensors();
  void falcon40BHasGroupsAndTwoNorms();
  void theNewArchitectureCanHaveOneNorm();
  void blocksCanBeSequentialWithAKeyPerHead();
  void configKeysAreRead();
  void formerKeyNamesAreRead();
  void unsupportedValuesAreRefused();
};

void tst_falcon::omittedKeysAreTheClassDefaults() {
  const ModelSpec spec = specOf("falcon");
  QCOMPARE(sizesOf(spec), std::string("65024 4544 18176 32 71/1 64 2048"));
  QVERIFY(spec.norm.kind == NormKind::Layer && spec.norm.bias);
  QCOMPARE(spec.norm.eps, 1e-5);
  QVERIFY(spec.mlpForm == MlpForm::Plain && spec.activation == Activation::GeluExact);
  QVERIFY(spec.mlpInput == MlpInput::AttentionInput && !spec.mlpPreNorm);
  QVERIFY(!spec.queryKeyValueBias && !spec.attentionOutBias && !spec.mlpBias);
  QVERIFY(spec.tiedHead && spec.beginOfSequence == TokenId(11));
  QCOMPARE(spec.layers[0].rope->theta, 10000.0);
}

void tst_falcon::goldenFolderGivesSizesAndTensors() {
  const ModelDescription golden = goldenOf("falcon7b");
  QCOMPARE(sizesOf(golden.spec), std::string("192 48 192 3 6/1 8 2048"));
  const std::string fused =
      "transformer.h.1.self_attention.query_key_value.weight [64, 48]";
  QCOMPARE(stored(golden, "layers.1.W_q"), fused + " 0/8 of 1 over 6");
  QCOMPARE(stored(golden, "layers.1.W_k"), fused + " 6/8 of 1");
  QCOMPARE(stored(golden, "layers.1.W_v"), fused + " 7/8 of 1");
  QCOMPARE(stored(golden, "layers.1.W_down"),
           std::string("transformer.h.1.mlp.dense_4h_to_h.weight [48, 192]"));
  QCOMPARE(stored(golden, "layers.1.attn_norm.bias"),
           std::string("transformer.h.1.input_layernorm.bias [48]"));
  QCOMPARE(stored(golden, "final_norm.bias"), std::string("transformer.ln_f.bias [48]"));
}

void tst_falcon::falcon40BHasGroupsAndTwoNorms() {
  const ModelDescription falcon = describe("falcon", {{"new_decoder_architecture", true},
                                                      {"hidden_size", 8192},
                                                      {"num_attention_heads", 128},
                                                      {"num_kv_heads", 8},
                                                      {"num_hidden_layers", 60}});
  QCOMPARE(sizesOf(falcon.spec), std::string("65024 8192 32768 60 128/8 64 2048"));
  QVERIFY(falcon.spec.mlpInput == MlpInput::ResidPre);
  const std::string layer = "transformer.h.0.";
  const std::string fused = layer + "self_attention.query_key_value.weight [9216, 8192]";
  QCOMPARE(stored(falcon, "layers.0.W_q"), fused + " 0/18 of 8 over 16");
  QCOMPARE(stored(falcon, "layers.0.W_k"), fused + " 16/18 of 8");
  QCOMPARE(stored(falcon, "layers.0.W_v"), fused + " 17/18 of 8");
  QCOMPARE(stored(falcon, "layers.0.attn_norm"), layer + "ln_attn.weight [8192]");
  QCOMPARE(stored(falcon, "layers.0.mlp_norm"), layer + "ln_mlp.weight [8192]");
}

void tst_falcon::theNewArchitectureCanHaveOneNorm() {
  const ModelDescription falcon = describe("falcon", {{"new_decoder_architecture", true},
                                                      {"num_ln_in_parallel_attn", 1},
                                                      {"hidden_size", 256},
                                                      {"num_attention_heads", 8},
                                                      {"num_kv_heads", 2}});
  QVERIFY(falcon.spec.mlpInput == MlpInput::AttentionInput);
  QCOMPARE(stored(falcon, "layers.0.attn_norm"),
           std::string("transformer.h.0.input_layernorm.weight [256]"));
  QVERIFY(stored(falcon, "layers.0.mlp_norm").empty());
}

void tst_falcon::blocksCanBeSequentialWithAKeyPerHead() {
  const ModelDescription falcon = describe(
      "falcon", {{"parallel_attn", false}, {"multi_query", false}, {"hidden_size", 568}});
  QVERIFY(falcon.spec.mlpInput == MlpInput::ResidMid);
  QCOMPARE(falcon.spec.kvHeads, std::int64_t{71});
  QCOMPARE(stored(falcon, "layers.0.W_k"),
           std::string("transformer.h.0.self_attention.query_key_value.weight "
                       "[1704, 568] 1/3 of 71"));
  QCOMPARE(stored(falcon, "layers.0.mlp_norm"),
           std::string("transformer.h.0.post_attention_layernorm.weight [568]"));
}

void tst_falcon::configKeysAreRead() {
  const ModelDescription falcon = describe("falcon", {{"bias", true},
                                                      {"layer_norm_epsilon", 1e-4},
                                                      {"ffn_hidden_size", 1000},
                                                      {"activation", "relu"},
                                                      {"rope_theta", 5e5},
                                                      {"max_position_embeddings", 512},
                                                      {"tie_word_embeddings", false},
                                                      {"bos_token_id", nullptr},
                                                      {"eos_token_id", 5},
                                                      {"torch_dtype", "bfloat16"}});
  const ModelSpec& spec = falcon.spec;
  QVERIFY(spec.queryKeyValueBias && spec.attentionOutBias && spec.mlpBias);
  QCOMPARE(spec.norm.eps, 1e-4);
  QCOMPARE(spec.mlpWidth, std::int64_t{1000});
  QVERIFY(spec.activation == Activation::Relu);
  QCOMPARE(spec.layers[0].rope->theta, 5e5);
  QCOMPARE(spec.maxPositions, std::int64_t{512});
  QVERIFY(!spec.beginOfSequence && spec.storedDType == DType::BF16);
  QVERIFY((spec.endOfSequence == std::vector<TokenId>{TokenId(5)}));
  QCOMPARE(stored(falcon, "head"), std::string("lm_head.weight [65024, 4544]"));
  QVERIFY(falcon.unreadKeys.empty());
}

void tst_falcon::formerKeyNamesAreRead() {
  const Json former = {{"n_head", 8}, {"n_layer", 3}, {"hidden_size", 64}};
  const ModelDescription falcon = describe("falcon", former);
  QCOMPARE(sizesOf(falcon.spec), std::string("65024 64 256 3 8/1 8 2048"));
  QVERIFY(falcon.unreadKeys.empty());
  QVERIFY_ERROR(specOf("falcon", {{"n_head", 8}, {"num_attention_heads", 4}}), "n_head",
                "agree");
  const ModelSpec grouped = specOf("falcon", {{"new_decoder_architecture", true},
                                              {"n_head", 8},
                                              {"n_head_kv", 2},
                                              {"hidden_size", 64}});
  QCOMPARE(grouped.kvHeads, std::int64_t{2});
}

void tst_falcon::unsupportedValuesAreRefused() {
  QVERIFY_ERROR(specOf("falcon", {{"alibi", true}}), "alibi");
  QVERIFY_ERROR(specOf("falcon", {{"apply_residual_connection_post_layernorm", true}}),
                "apply_residual_connection_post_layernorm");
  QVERIFY_ERROR(specOf("falcon", {{"new_decoder_architecture", true},
                                  {"parallel_attn", false},
                                  {"num_kv_heads", 71}}),
                "parallel_attn");
  QVERIFY_ERROR(specOf("falcon", {{"num_ln_in_parallel_attn", 2}}),
                "new_decoder_architecture");
  QVERIFY_ERROR(specOf("falcon", {{"multi_query", false},
                                  {"num_attention_heads", 8},
                                  {"hidden_size", 64},
                                  {"num_kv_heads", 2}}),
                "num_kv_heads");
}

EQUIPATCH_TEST(tst_falcon)
#include "tst_falcon.moc"

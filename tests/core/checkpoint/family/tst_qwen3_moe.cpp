#include "tests/core/checkpoint/family/describing.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

class tst_qwen3_moe : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void omittedKeysAreTheClassDefaults();
  void theGoldenFolder();
  void sparseLayersAreCountedFromOne();
  void otherKeys();
};

void tst_qwen3_moe::omittedKeysAreTheClassDefaults() {
  const ModelSpec spec = specOf("qwen3_moe");
  QCOMPARE(sizesOf(spec), std::string("151936 2048 6144 24 32/4 64 32768"));
  QCOMPARE(spec.moe->experts, std::int64_t{128});
  QCOMPARE(spec.moe->active, std::int64_t{8});
  QCOMPARE(spec.moe->expertWidth, std::int64_t{768});
  QCOMPARE(spec.moe->sharedWidth, std::int64_t{0});
  QVERIFY(!spec.moe->normaliseGates);  // of the class; published files say true
  QVERIFY(spec.queryKeyNorm == QueryKeyNorm::PerHead);
}

void tst_qwen3_moe::theGoldenFolder() {
  const ModelDescription golden = goldenOf("qwen3_moe");
  QCOMPARE(expertsOf(golden.spec), std::string("mdm"));
  QVERIFY(golden.spec.moe->normaliseGates);
  QCOMPARE(stored(golden, "layers.1.W_gate"),
           std::string("model.layers.1.mlp.gate_proj.weight [72, 40]"));
  QCOMPARE(stored(golden, "layers.2.experts.5.W_gate"),
           std::string("model.layers.2.mlp.experts.5.gate_proj.weight [32, 40]"));
  QCOMPARE(stored(golden, "layers.2.k_norm"),
           std::string("model.layers.2.self_attn.k_norm.weight [16]"));
  QVERIFY(stored(golden, "layers.2.W_shared_router").empty());
}

void tst_qwen3_moe::sparseLayersAreCountedFromOne() {
  const Json three = {{"num_hidden_layers", 7}, {"decoder_sparse_step", 3}};
  QCOMPARE(expertsOf(specOf("qwen3_moe", three)), std::string("ddmddmd"));
  QVERIFY_ERROR(specOf("qwen3_moe", {{"decoder_sparse_step", 0}}), "decoder_sparse_step");
  QVERIFY_ERROR(specOf("qwen3_moe", {{"mlp_only_layers", {-1}}}), "mlp_only_layers");
  QVERIFY_ERROR(specOf("qwen3_moe", {{"mlp_only_layers", {"0"}}}), "mlp_only_layers");
}

void tst_qwen3_moe::otherKeys() {
  QVERIFY(specOf("qwen3_moe", {{"attention_bias", true}}).attentionOutBias);
  QCOMPARE(specOf("qwen3_moe", {{"num_local_experts", 16}}).moe->experts,
           std::int64_t{16});
  QCOMPARE(windowsOf(specOf("qwen3_moe", {{"num_hidden_layers", 2},
                                          {"use_sliding_window", true},
                                          {"sliding_window", 4}})),
           std::string("LL"));
  QCOMPARE(windowsOf(specOf("qwen3_moe", {{"num_hidden_layers", 2},
                                          {"use_sliding_window", false},
                                          {"sliding_window", 4},
                                          {"max_window_layers", 1}})),
           std::string("GG"));
  QVERIFY_ERROR(specOf("qwen3_moe", {{"num_experts_per_tok", 129}}), "129");
  QVERIFY_ERROR(specOf("qwen3_moe", {{"n_shared_experts", 1}}), "n_shared_experts");
}

EQUIPATCH_TEST(tst_qwen3_moe)
#include "tst_qwen3_moe.moc"

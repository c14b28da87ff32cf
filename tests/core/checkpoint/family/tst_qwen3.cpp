#include "tests/core/checkpoint/family/describing.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

class tst_qwen3 : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void omittedKeysAreTheClassDefaults();
  void theGoldenFolder();
  void headsDoNotFollowFromTheWidth();
  void biasesCoverAllFourProjections();
  void theWindowNeedsItsSwitch();
  void theBodyAloneHasTheSameTensors();
};

void tst_qwen3::omittedKeysAreTheClassDefaults() {
  const ModelSpec spec = specOf("qwen3");
  QCOMPARE(sizesOf(spec), std::string("151936 4096 22016 32 32/32 128 32768"));
  QCOMPARE(spec.norm.eps, 1e-6);
  QVERIFY(spec.queryKeyNorm == QueryKeyNorm::PerHead && !spec.norm.scaleBeforeRounding);
  QVERIFY(!spec.queryKeyValueBias && !spec.attentionOutBias && !spec.tiedHead);
  QVERIFY(!spec.beginOfSequence && spec.endOfSequence.empty());
}

void tst_qwen3::theGoldenFolder() {
  const ModelDescription golden = goldenOf("qwen3_tied");
  QCOMPARE(sizesOf(golden.spec), std::string("192 40 72 3 4/2 16 128"));
  QVERIFY(golden.spec.tiedHead);
  QCOMPARE(stored(golden, "layers.1.q_norm"),
           std::string("model.layers.1.self_attn.q_norm.weight [16]"));
  QCOMPARE(stored(golden, "layers.1.W_o"),
           std::string("model.layers.1.self_attn.o_proj.weight [40, 64]"));
  QCOMPARE(golden.spec.layers[0].rope->theta, 1e6);
}

/// The default is 128 and not the width over the heads.
void tst_qwen3::headsDoNotFollowFromTheWidth() {
  QCOMPARE(specOf("qwen3", {{"hidden_size", 1024},
                            {"num_attention_heads", 16},
                            {"num_key_value_heads", 8}})
               .headDim,
           std::int64_t{128});
  QCOMPARE(specOf("qwen3", {{"head_dim", 64}}).layers[0].attentionScale, 0.125);
}

void tst_qwen3::biasesCoverAllFourProjections() {
  const ModelSpec spec = specOf("qwen3", {{"attention_bias", true}});
  QVERIFY(spec.queryKeyValueBias && spec.attentionOutBias && !spec.mlpBias);
}

void tst_qwen3::theWindowNeedsItsSwitch() {
  Json config = {
      {"num_hidden_layers", 4}, {"sliding_window", 9}, {"max_window_layers", 3}};
  QCOMPARE(windowsOf(specOf("qwen3", config)), std::string("GGGG"));
  config["use_sliding_window"] = true;
  QCOMPARE(windowsOf(specOf("qwen3", config)), std::string("GGGL"));
}

/// Embedding models are saved without head and prefix.
void tst_qwen3::theBodyAloneHasTheSameTensors() {
  const ModelDescription body = describe(
      "qwen3", {{"architectures", {"Qwen3Model"}}, {"tie_word_embeddings", true}});
  QCOMPARE(body.spec.architecture, std::string("Qwen3ForCausalLM"));
  QCOMPARE(body.schemes.back().body, std::string());
}

EQUIPATCH_TEST(tst_qwen3)
#include "tst_qwen3.moc"

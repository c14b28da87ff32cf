#include "tests/core/checkpoint/family/describing.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

class tst_openai_gpt : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void omittedKeysAreTheClassDefaults();
  void normsCloseTheSums();
  void storedNames();
  void itsGeluIsTheTanhOne();
  void otherKeys();
};

void tst_openai_gpt::omittedKeysAreTheClassDefaults() {
  const ModelSpec spec = specOf("openai-gpt");
  QCOMPARE(sizesOf(spec), std::string("40478 768 3072 12 12/12 64 512"));
  QVERIFY(spec.norm.kind == NormKind::Layer && spec.norm.bias);
  QCOMPARE(spec.norm.eps, 1e-5);
  QVERIFY(spec.learnedPositions && !spec.layers[0].rope && spec.tiedHead);
  QVERIFY(spec.queryKeyValueBias && spec.attentionOutBias && spec.mlpBias);
  QVERIFY(spec.mlpForm == MlpForm::Plain && spec.mlpInput == MlpInput::ResidMid);
  QCOMPARE(spec.layers[11].attentionScale, 0.125);
}

void tst_openai_gpt::normsCloseTheSums() {
  const ModelSpec spec = specOf("openai-gpt");
  QVERIFY(!spec.attentionPreNorm && !spec.mlpPreNorm && !spec.finalNorm);
  QVERIFY(spec.attentionPostNorm && spec.mlpPostNorm);
  QVERIFY(spec.postNormPlace == PostNormPlace::Sum);
  QVERIFY(!spec.scalesBranch() && !spec.closesWithNormBias());
}

void tst_openai_gpt::storedNames() {
  const ModelDescription gpt = describe("openai-gpt", {{"n_embd", 24}, {"n_head", 3}});
  const std::string layer = "transformer.h.1.";
  QCOMPARE(stored(gpt, "embed"),
           std::string("transformer.tokens_embed.weight [40478, 24]"));
  QCOMPARE(stored(gpt, "positions"),
           std::string("transformer.positions_embed.weight [512, 24]"));
  QCOMPARE(stored(gpt, "layers.1.W_q"), layer + "attn.c_attn.weight [24, 72] ᵀ 0/3 of 1");
  QCOMPARE(stored(gpt, "layers.1.W_down"), layer + "mlp.c_proj.weight [96, 24] ᵀ");
  QCOMPARE(stored(gpt, "layers.1.attn_post_norm"), layer + "ln_1.weight [24]");
  QCOMPARE(stored(gpt, "layers.1.mlp_post_norm.bias"), layer + "ln_2.bias [24]");
  QCOMPARE(gpt.schemes[1].body, std::string());
}

void tst_openai_gpt::itsGeluIsTheTanhOne() {
  QVERIFY(specOf("openai-gpt").activation == Activation::GeluTanh);
  QVERIFY(specOf("openai-gpt", {{"afn", "gelu"}}).activation == Activation::GeluTanh);
  QVERIFY(specOf("openai-gpt", {{"afn", "relu"}}).activation == Activation::Relu);
  QVERIFY(specOf("openai-gpt", {{"afn", "swish"}}).activation == Activation::Silu);
  QVERIFY_ERROR(specOf("openai-gpt", {{"afn", "tanh"}}), "tanh");
}

void tst_openai_gpt::otherKeys() {
  QVERIFY(describe("openai-gpt", {{"n_ctx", 512},
                                  {"n_special", 0},
                                  {"predict_special_tokens", true},
                                  {"summary_type", "cls_index"}})
              .unreadKeys.empty());
  QCOMPARE(describe("openai-gpt", {{"n_inner", 100}}).unreadKeys,
           std::vector<std::string>{"n_inner"});
  QCOMPARE(specOf("openai-gpt", {{"n_inner", 100}}).mlpWidth, std::int64_t{3072});
}

EQUIPATCH_TEST(tst_openai_gpt)
#include "tst_openai_gpt.moc"

#include "core/checkpoint/family/gemma_keys.h"

#include <nlohmann/json.hpp>

#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

ModelSpec read(const Json& config) {
  JsonObject object(config, "config.json");
  return readGemma(object, {.vocabulary = 10,
                            .width = 16,
                            .mlpWidth = 12,
                            .layers = 2,
                            .heads = 2,
                            .maxPositions = 20})
      .spec;
}

}  // namespace

class tst_gemma_keys : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void whatAllShare();
  void activations();
  void theQueryScale();
};

void tst_gemma_keys::whatAllShare() {
  const ModelSpec spec = read(Json::object());
  QVERIFY(spec.norm.kind == NormKind::Rms && !spec.norm.bias);
  QVERIFY(spec.norm.storedMinusOne && spec.norm.scaleBeforeRounding);
  QCOMPARE(spec.norm.eps, 1e-6);
  QCOMPARE(spec.embeddingScale, 4.0);
  QVERIFY(spec.roundEmbeddingScale && spec.tiedHead);
  QVERIFY(spec.beginOfSequence == TokenId(2));
  QVERIFY((spec.endOfSequence == std::vector<TokenId>{TokenId(1)}));
}

void tst_gemma_keys::activations() {
  QVERIFY(read(Json::object()).activation == Activation::GeluTanh);
  for (const char* key : {"hidden_act", "hidden_activation"})
    for (const char* name : {"gelu", "gelu_new", "gelu_pytorch_tanh"})
      QVERIFY(read({{key, name}}).activation == Activation::GeluTanh);
  QVERIFY_ERROR(read({{"hidden_activation", "mish"}}), "hidden_activation", "mish");
}

void tst_gemma_keys::theQueryScale() {
  const auto scale = [](const Json& config) {
    JsonObject object(config, "config.json");
    ModelSpec spec;
    spec.layers.resize(2);
    readQueryScale(object, spec);
    return spec.layers[1].attentionScale;
  };
  QCOMPARE(scale(Json::object()), 0.0625);
  QCOMPARE(scale({{"query_pre_attn_scalar", 16}}), 0.25);
  QVERIFY_ERROR(scale({{"query_pre_attn_scalar", -16}}), "query_pre_attn_scalar");
}

EQUIPATCH_TEST(tst_gemma_keys)
#include "tst_gemma_keys.moc"

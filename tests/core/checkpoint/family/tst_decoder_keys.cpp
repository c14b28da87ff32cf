#include "core/checkpoint/family/decoder_keys.h"

#include <nlohmann/json.hpp>

#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

const DecoderDefaults kDecoderDefaults{.sizes = {.vocabulary = 10,
                                                 .width = 8,
                                                 .mlpWidth = 12,
                                                 .layers = 1,
                                                 .heads = 2,
                                                 .maxPositions = 20},
                                       .tokens = {.begin = 1, .end = std::nullopt},
                                       .tiedHead = true};

}  // namespace

class tst_decoder_keys : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void defaultsAndKeys();
  void attentionBiasMeansAllFour();
  void completionSettlesWhatIsLeft();
};

void tst_decoder_keys::defaultsAndKeys() {
  const auto read = [](const Json& config) {
    JsonObject object(config, "config.json");
    return readDecoder(object, kDecoderDefaults).spec;
  };
  const ModelSpec spec = read(Json::object());
  QCOMPARE(spec.width, std::int64_t{8});
  QVERIFY(spec.tiedHead && spec.storedDType == DType::F32);
  QVERIFY(spec.beginOfSequence == TokenId(1));
  QVERIFY(spec.endOfSequence.empty());
  const ModelSpec other = read(
      {{"tie_word_embeddings", false}, {"dtype", "float16"}, {"eos_token_id", {3, 4}}});
  QVERIFY(!other.tiedHead && other.storedDType == DType::F16);
  QCOMPARE(other.endOfSequence.size(), std::size_t{2});
}

void tst_decoder_keys::attentionBiasMeansAllFour() {
  const Json config = {{"attention_bias", true}};
  JsonObject object(config, "config.json");
  ModelSpec spec;
  readAttentionBias(object, spec);
  QVERIFY(spec.queryKeyValueBias && spec.attentionOutBias && !spec.mlpBias);
}

void tst_decoder_keys::completionSettlesWhatIsLeft() {
  const Json config = {{"mlp_bias", true}};
  JsonObject object(config, "config.json");
  ModelDescription description = readDecoder(object, kDecoderDefaults);
  QVERIFY_ERROR(completeDecoder(object, {}, description), "mlp_bias");
  QVERIFY(object.boolean("mlp_bias", false));
  completeDecoder(object, {}, description);
  QCOMPARE(description.tensors.front().name, std::string("embed"));
  QCOMPARE(description.schemes.size(), std::size_t{2});
  QCOMPARE(description.ignoredSuffixes.back(), std::string("lm_head.weight"));
}

EQUIPATCH_TEST(tst_decoder_keys)
#include "tst_decoder_keys.moc"

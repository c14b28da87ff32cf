// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/family/decoder_keys.h"

#include "tests/core/checkpoint/family/describing.h"
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

ModelDescription withLayers(std::size_t layers) {
  ModelDescription description;
  description.spec.headDim = 16;
  description.spec.maxPositions = 100;
  description.spec.layers.resize(layers);
  return description;
}

ModelSpec uniform(const Json& config) {
  ModelDescription description = withLayers(2);
  JsonObject object(config, "config.json");
  readUniformLayers(object, {}, description);
  return description.spec;
}

}  // namespace

class tst_decoder_keys : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void keysReplaceDefaults();
  void attentionBiasCoversFourProjections();
  void completionChecksKeysAndSetsTensors();
  void uniformLayersAreEqual();
  void yarnAndDynamicScalingRaiseMaxPositions();
  void layerTypesAreReadFromAList();
  void theWindowIsReadAndGivenToLocalLayers();
  void windowsStartAtMaxWindowLayersIfSwitchedOn();
  void expertCountsAreReadAndChecked();
  void configKeysChooseTheMoeLayers();
};

void tst_decoder_keys::keysReplaceDefaults() {
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

void tst_decoder_keys::attentionBiasCoversFourProjections() {
  const Json config = {{"attention_bias", true}};
  JsonObject object(config, "config.json");
  ModelSpec spec;
  readAttentionBias(object, spec);
  QVERIFY(spec.queryKeyValueBias && spec.attentionOutBias && !spec.mlpBias);
}

void tst_decoder_keys::completionChecksKeysAndSetsTensors() {
  const Json config = {{"mlp_bias", true}};
  JsonObject unread(config, "config.json");
  ModelDescription refused = readDecoder(unread, kDecoderDefaults);
  QVERIFY_ERROR(completeDecoder(unread, {}, refused), "mlp_bias");
  JsonObject object(config, "config.json");
  ModelDescription description = readDecoder(object, kDecoderDefaults);
  QVERIFY(object.boolean("mlp_bias", false));
  completeDecoder(object, {}, description);
  QCOMPARE(description.tensors.front().name, std::string("embed"));
  QCOMPARE(description.schemes.size(), std::size_t{2});
  QCOMPARE(description.ignoredSuffixes.back(), std::string("lm_head.weight"));
}

void tst_decoder_keys::uniformLayersAreEqual() {
  for (const LayerSpec& layer : uniform({{"rope_theta", 5e4}}).layers) {
    QVERIFY((*layer.rope == RopeSpec{.theta = 5e4, .dims = 16}));
    QCOMPARE(layer.attentionScale, 0.25);
    QVERIFY(!layer.window && !layer.moe);
  }
}

void tst_decoder_keys::yarnAndDynamicScalingRaiseMaxPositions() {
  const auto length = [](const Json& table) {
    return uniform({{"rope_scaling", table}}).maxPositions;
  };
  QCOMPARE(length({{"type", "dynamic"}, {"factor", 3}}), std::int64_t{300});
  QCOMPARE(length({{"type", "yarn"}, {"factor", 2}}), std::int64_t{200});
  // config.json already states the extended length.
  QCOMPARE(
      length({{"type", "yarn"}, {"factor", 4}, {"original_max_position_embeddings", 25}}),
      std::int64_t{100});
  // It states more than the original length, but less than the extended one.
  QCOMPARE(
      length({{"type", "yarn"}, {"factor", 6}, {"original_max_position_embeddings", 80}}),
      std::int64_t{480});
  QCOMPARE(length({{"type", "linear"}, {"factor", 4}}), std::int64_t{100});
  QCOMPARE(length({{"type", "dynamic"}, {"factor", 0.5}}), std::int64_t{100});
  QCOMPARE(length({{"type", "dynamic"}, {"factor", 1e300}}), std::int64_t{1} << 31);
}

void tst_decoder_keys::layerTypesAreReadFromAList() {
  const auto types = [](const Json& config, std::size_t layers) {
    JsonObject object(config, "config.json");
    return readLayerTypes(object, layers);
  };
  QVERIFY(!types(Json::object(), 2).has_value());
  QVERIFY((*types({{"layer_types", {"sliding_attention", "full_attention"}}}, 2) ==
           std::vector<bool>{true, false}));
  QVERIFY_ERROR(types({{"layer_types", {"full_attention"}}}, 2), "a list of 2");
  QVERIFY_ERROR(types({{"layer_types", "full_attention"}}, 1), "a list of 1");
  QVERIFY_ERROR(types({{"layer_types", {"linear_attention"}}}, 1), "layer 0");
  QVERIFY_ERROR(types({{"layer_types", {nullptr}}}, 1), "layer 0");
}

void tst_decoder_keys::theWindowIsReadAndGivenToLocalLayers() {
  const auto window = [](const Json& config) {
    JsonObject object(config, "config.json");
    return readWindow(object, 9);
  };
  QVERIFY(window(Json::object()) == std::int64_t{9});
  QVERIFY(!window({{"sliding_window", nullptr}}));
  QVERIFY(window({{"sliding_window", 1}}) == std::int64_t{1});
  for (const std::int64_t bad : {std::int64_t{0}, std::int64_t{-1}, INT64_MAX})
    QVERIFY_ERROR(window({{"sliding_window", bad}}), "sliding_window");
  ModelDescription description = withLayers(3);
  setWindows({true, false, true}, 5, description.spec);
  QVERIFY(description.spec.layers[0].window == std::int64_t{5});
  QVERIFY(!description.spec.layers[1].window);
}

void tst_decoder_keys::windowsStartAtMaxWindowLayersIfSwitchedOn() {
  const auto local = [](const Json& config) {
    ModelSpec spec = withLayers(3).spec;
    JsonObject object(config, "config.json");
    readSwitchedWindow(object, spec);
    return test::windowsOf(spec);
  };
  QCOMPARE(local({{"sliding_window", 4}, {"max_window_layers", 0}}), std::string("GGG"));
  QCOMPARE(local({{"use_sliding_window", true}}),
           std::string("GGG"));  // max_window_layers is 28 if absent
  QCOMPARE(local({{"use_sliding_window", true}, {"max_window_layers", 1}}),
           std::string("GLL"));
  QCOMPARE(local({{"use_sliding_window", true}, {"max_window_layers", 0}}),
           std::string("LLL"));
}

void tst_decoder_keys::expertCountsAreReadAndChecked() {
  const auto read = [](const Json& config) {
    JsonObject object(config, "config.json");
    return readMoe(object, {.experts = 6, .active = 2}, withLayers(2).spec);
  };
  QCOMPARE(read(Json::object()).experts, std::int64_t{6});
  QCOMPARE(read(Json::object()).active, std::int64_t{2});
  QCOMPARE(read({{"num_local_experts", 3}}).experts, std::int64_t{3});
  QCOMPARE(read({{"num_experts", 3}, {"num_local_experts", 3}}).experts, std::int64_t{3});
  QVERIFY_ERROR(read({{"num_experts", 1}}), "num_experts_per_tok", "2", "1");
  QVERIFY_ERROR(read({{"num_experts", 4097}}), "num_experts", "4096");
  QVERIFY_ERROR(read({{"num_experts_per_tok", 0}}), "num_experts_per_tok");
}

void tst_decoder_keys::configKeysChooseTheMoeLayers() {
  const auto sparse = [](const Json& config) {
    ModelSpec spec = withLayers(4).spec;
    JsonObject object(config, "config.json");
    readSparseLayers(object, spec);
    return test::expertsOf(spec);
  };
  QCOMPARE(sparse(Json::object()), std::string("mmmm"));
  QCOMPARE(sparse({{"decoder_sparse_step", 2}}), std::string("dmdm"));
  QCOMPARE(sparse({{"mlp_only_layers", {0, 3}}}), std::string("dmmd"));
  QCOMPARE(sparse({{"decoder_sparse_step", 5}}), std::string("dddd"));
  QCOMPARE(sparse({{"mlp_only_layers", Json::array()}}), std::string("mmmm"));
}

EQUIPATCH_TEST(tst_decoder_keys)
#include "tst_decoder_keys.moc"

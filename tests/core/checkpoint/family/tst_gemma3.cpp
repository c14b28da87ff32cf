// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <cmath>
#include <fstream>

#include "core/checkpoint/safetensors.h"
#include "tests/core/checkpoint/family/describing.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

class tst_gemma3 : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void omittedKeysAreTheClassDefaults();
  void goldenConfigGivesItsSpec();
  void everyNthLayerIsGlobal();
  void layerTypesOverrideThePattern();
  void ropeScalingAppliesToGlobalLayersOnly();
  void ropeParametersAreKeyedByLayerType();
  void softcapsAreNullOrPositive();
  void keysAddBiasesAndUntieTheHead();
  void invalidAndUnsupportedKeysAreRefused();
  void readsTheTextConfigOfAMultimodalModel();
  void outerKeysCompleteTheTextConfig();
  void readsTheVisionTower();
  void unsupportedTowerSizesAreReported();
  void bothMultimodalNameSchemesAreRead();
};

void tst_gemma3::omittedKeysAreTheClassDefaults() {
  const ModelSpec spec = specOf("gemma3_text");
  QCOMPARE(sizesOf(spec), std::string("262208 2304 9216 26 8/4 256 131072"));
  QCOMPARE(spec.norm.eps, 1e-6);
  QVERIFY(spec.norm.storedMinusOne && spec.norm.scaleBeforeRounding);
  QVERIFY(spec.queryKeyNorm == QueryKeyNorm::PerHead && spec.attentionPostNorm &&
          spec.mlpPostNorm);
  QVERIFY(!spec.queryKeyValueBias && !spec.attentionOutBias && !spec.mlpBias);
  QVERIFY(spec.activation == Activation::GeluTanh);
  QCOMPARE(spec.layers[0].attentionScale, 0.0625);
  QCOMPARE(spec.embeddingScale, 48.0);
  QVERIFY(!spec.attentionSoftcap && !spec.logitSoftcap);
  QVERIFY(spec.tiedHead);
  QVERIFY(spec.beginOfSequence == TokenId(2));
  QVERIFY((spec.endOfSequence == std::vector<TokenId>{TokenId(1)}));
  QCOMPARE(windowsOf(spec), std::string("LLLLLGLLLLLGLLLLLGLLLLLGLL"));
  QVERIFY(spec.layers[0].window == std::int64_t{4096});
  QCOMPARE(spec.layers[0].rope->theta, 1e4);
  QCOMPARE(spec.layers[5].rope->theta, 1e6);
}

void tst_gemma3::goldenConfigGivesItsSpec() {
  const ModelSpec spec = goldenOf("gemma3_text").spec;
  QCOMPARE(spec.architecture, std::string("Gemma3ForCausalLM"));
  QCOMPARE(sizesOf(spec), std::string("192 40 96 7 4/1 16 128"));
  QCOMPARE(spec.layers[0].attentionScale, 0.25);
  QCOMPARE(spec.embeddingScale, std::sqrt(40.0));
  QCOMPARE(windowsOf(spec), std::string("LLLLLGL"));
  QVERIFY(spec.layers[6].window == std::int64_t{6});
  QVERIFY(spec.storedDType == DType::BF16);
}

void tst_gemma3::everyNthLayerIsGlobal() {
  const auto of = [](std::int64_t layers, std::int64_t period, const char* key) {
    return windowsOf(
        describe("gemma3_text", {{"num_hidden_layers", layers}, {key, period}}).spec);
  };
  QCOMPARE(of(6, 3, "sliding_window_pattern"), std::string("LLGLLG"));
  QCOMPARE(of(6, 3, "_sliding_window_pattern"), std::string("LLGLLG"));
  QCOMPARE(of(3, 1, "sliding_window_pattern"), std::string("GGG"));
  QCOMPARE(of(3, 2, "sliding_window_pattern"), std::string("LGL"));
  QCOMPARE(of(3, 100, "sliding_window_pattern"), std::string("LLL"));
}

void tst_gemma3::layerTypesOverrideThePattern() {
  const Json types = {"full_attention", "sliding_attention", "sliding_attention"};
  const ModelSpec spec = describe("gemma3_text", {{"num_hidden_layers", 3},
                                                  {"layer_types", types},
                                                  {"sliding_window_pattern", 2},
                                                  {"sliding_window", 512}})
                             .spec;
  QCOMPARE(windowsOf(spec), std::string("GLL"));
  QVERIFY(spec.layers[1].window == std::int64_t{512});
  QCOMPARE(spec.layers[0].rope->theta, 1e6);
  QVERIFY_ERROR(
      describe("gemma3_text", {{"num_hidden_layers", 4}, {"layer_types", types}}),
      "layer_types", "a list of 4");
  QVERIFY_ERROR(describe("gemma3_text", {{"num_hidden_layers", 1},
                                         {"layer_types", {"chunked_attention"}}}),
                "layer_types", "layer 0");
  QVERIFY_ERROR(describe("gemma3_text", {{"num_hidden_layers", 1}, {"layer_types", {7}}}),
                "layer_types");
}

void tst_gemma3::ropeScalingAppliesToGlobalLayersOnly() {
  const ModelSpec spec =
      describe("gemma3_text",
               {{"rope_theta", 2e6},
                {"rope_local_base_freq", 3e4},
                {"rope_scaling", {{"rope_type", "linear"}, {"factor", 8}}}})
          .spec;
  const RopeSpec local{.theta = 3e4, .dims = 256};
  QVERIFY(*spec.layers[0].rope == local);
  const RopeSpec global{
      .theta = 2e6, .dims = 256, .scaling = RopeScaling::Linear, .factor = 8.0};
  QVERIFY(*spec.layers[5].rope == global);
}

void tst_gemma3::ropeParametersAreKeyedByLayerType() {
  const Json tables = {
      {"full_attention", {{"rope_theta", 2e6}, {"rope_type", "linear"}, {"factor", 8.0}}},
      {"sliding_attention", {{"rope_theta", 3e4}, {"rope_type", "default"}}}};
  const ModelDescription description =
      describe("gemma3_text", {{"rope_parameters", tables}});
  const RopeSpec global{
      .theta = 2e6, .dims = 256, .scaling = RopeScaling::Linear, .factor = 8.0};
  QVERIFY(*description.spec.layers[5].rope == global);
  QVERIFY((*description.spec.layers[0].rope == RopeSpec{.theta = 3e4, .dims = 256}));
  QVERIFY(description.unreadKeys.empty());
  QVERIFY_ERROR(describe("gemma3_text", {{"rope_parameters", {{"rope_theta", 1e6}}}}),
                "full_attention", "sliding_attention");
  QVERIFY_ERROR(describe("gemma3_text",
                         {{"rope_parameters", tables},
                          {"rope_scaling", {{"rope_type", "linear"}, {"factor", 8}}}}),
                "both");
}

void tst_gemma3::softcapsAreNullOrPositive() {
  const ModelSpec spec = describe("gemma3_text", {{"attn_logit_softcapping", 50.0},
                                                  {"final_logit_softcapping", 30}})
                             .spec;
  QCOMPARE(spec.attentionSoftcap.value(), 50.0);
  QCOMPARE(spec.logitSoftcap.value(), 30.0);
  QVERIFY(!describe("gemma3_text", {{"attn_logit_softcapping", nullptr}})
               .spec.attentionSoftcap);
  QVERIFY_ERROR(describe("gemma3_text", {{"final_logit_softcapping", 0.0}}),
                "final_logit_softcapping");
}

void tst_gemma3::keysAddBiasesAndUntieTheHead() {
  const ModelDescription description =
      describe("gemma3_text", {{"attention_bias", true}, {"tie_word_embeddings", false}});
  QVERIFY(description.spec.queryKeyValueBias && description.spec.attentionOutBias);
  QVERIFY(!description.spec.tiedHead);
  QCOMPARE(description.tensors.back().checkpointName, std::string("lm_head.weight"));
}

void tst_gemma3::invalidAndUnsupportedKeysAreRefused() {
  QVERIFY_ERROR(describe("gemma3_text", {{"sliding_window", nullptr}}), "sliding_window",
                "null");
  QVERIFY_ERROR(describe("gemma3_text", {{"sliding_window", 0}}), "sliding_window",
                "found 0");
  QVERIFY_ERROR(describe("gemma3_text", {{"sliding_window_pattern", 0}}),
                "sliding_window_pattern");
  QVERIFY_ERROR(describe("gemma3_text", {{"use_bidirectional_attention", true}}),
                "use_bidirectional_attention");
  QVERIFY_ERROR(describe("gemma3_text",
                         {{"rope_scaling", {{"rope_type", "longrope"}, {"factor", 8}}}}),
                "longrope");
}

/// A shortened config of Gemma 3 4B. Its "text_config" omits most keys.
void tst_gemma3::readsTheTextConfigOfAMultimodalModel() {
  const Json config = {
      {"architectures", {"Gemma3ForConditionalGeneration"}},
      {"model_type", "gemma3"},
      {"boi_token_index", 255999},
      {"eoi_token_index", 256000},
      {"eos_token_id", {1, 106}},
      {"image_token_index", 262144},
      {"mm_tokens_per_image", 256},
      {"torch_dtype", "bfloat16"},
      {"text_config",
       {{"hidden_size", 2560},
        {"intermediate_size", 10240},
        {"model_type", "gemma3_text"},
        {"num_hidden_layers", 34},
        {"rope_scaling", {{"factor", 8.0}, {"rope_type", "linear"}}},
        {"sliding_window", 1024}}},
      {"vision_config", {{"hidden_size", 1152}, {"vision_use_head", false}}}};
  const ModelDescription description = describeModel(config, "config.json");
  const ModelSpec& spec = description.spec;
  QCOMPARE(spec.width, std::int64_t{2560});
  QCOMPARE(spec.layerCount(), std::int64_t{34});
  QCOMPARE(spec.vocabulary, std::int64_t{262208});
  QCOMPARE(spec.headDim, std::int64_t{256});
  QVERIFY(spec.layers[0].window == std::int64_t{1024});
  QVERIFY(spec.layers[5].rope->scaling == RopeScaling::Linear);
  QVERIFY(spec.storedDType == DType::BF16);
  QVERIFY((spec.endOfSequence == std::vector<TokenId>{TokenId(1), TokenId(106)}));
  QCOMPARE(description.unreadKeys, std::vector<std::string>{});
  QCOMPARE(description.schemes[0].body, std::string("model.language_model."));
  QCOMPARE(description.schemes[0].head, std::string());
  QCOMPARE(description.schemes[1].body, std::string("language_model.model."));
  QCOMPARE(description.schemes[1].head, std::string("language_model."));
}

void tst_gemma3::outerKeysCompleteTheTextConfig() {
  const auto multimodal = [](const Json& text, Json outer = Json::object()) {
    outer["model_type"] = "gemma3";
    outer["text_config"] = text;
    return describeModel(outer, "config.json");
  };
  QVERIFY((multimodal({{"eos_token_id", 5}}, {{"eos_token_id", 7}}).spec.endOfSequence ==
           std::vector<TokenId>{TokenId(5)}));
  QVERIFY(!multimodal({{"zoo", 1}}, {{"tie_word_embeddings", false}}).spec.tiedHead);
  const ModelDescription twoNames =
      multimodal({{"torch_dtype", "bfloat16"}}, {{"dtype", "float32"}});
  QVERIFY(twoNames.spec.storedDType == DType::BF16);
  QVERIFY(twoNames.unreadKeys.empty());
  QCOMPARE(multimodal({{"zoo", 1}}, {{"farm", 2}}).unreadKeys,
           (std::vector<std::string>{"farm", "text_config.zoo"}));
  QCOMPARE(multimodal(nullptr).spec.width, std::int64_t{2304});
  QVERIFY_ERROR(multimodal("x"), "text_config", "a JSON object");
  QVERIFY_ERROR(multimodal({{"hidden_size", 0}}), "\"text_config\": \"hidden_size\"");
  QVERIFY_ERROR(multimodal({{"zoo", 1}}, {{"quantization_config", {{"bits", 4}}}}),
                "quantization_config");
}

/// The defaults are those of transformers' configuration classes.
void tst_gemma3::readsTheVisionTower() {
  const auto described = [](const Json& vision, Json outer = Json::object()) {
    outer["model_type"] = "gemma3";
    outer["text_config"] = {{"hidden_size", 64}, {"head_dim", 16}};
    outer["vision_config"] = vision;
    return describeModel(outer, "config.json");
  };
  const ModelDescription plain = described(nullptr, {{"mm_tokens_per_image", 49}});
  const VisionSpec& defaults = plain.spec.vision.value();
  QCOMPARE(defaults.problem, std::string());
  QCOMPARE(defaults.width, 768);
  QCOMPARE(defaults.mlpWidth, 3072);
  QCOMPARE(defaults.layers, 12);
  QCOMPARE(defaults.heads, 12);
  QCOMPARE(defaults.imageSize, 224);
  QCOMPARE(defaults.patch, 16);
  QCOMPARE(defaults.normEps, 1e-6);
  QVERIFY(defaults.activation == Activation::GeluTanh);
  QCOMPARE(defaults.imageToken.value, 262144);
  QCOMPARE(defaults.beginToken.value, 255999);
  QCOMPARE(defaults.endToken.value, 256000);
  QCOMPARE(plain.visionTensors.size(), std::size_t{2 + 1 + 12 * 16 + 2 + 2});
  QCOMPARE(plain.visionTensors.back().shape, (std::vector<std::int64_t>{64, 768}));
  QCOMPARE(storedShape(plain.visionTensors.back()), (std::vector<std::int64_t>{768, 64}));

  const Json all = {
      {"hidden_size", 1152},       {"intermediate_size", 4304}, {"num_hidden_layers", 27},
      {"num_attention_heads", 16}, {"image_size", 896},         {"patch_size", 14},
      {"layer_norm_eps", 1e-5},    {"hidden_act", "gelu"},      {"zoo", 1}};
  for (const char* end : {"_index", "_id"}) {
    const std::string suffix = end;
    const ModelDescription large = described(all, {{"image_token" + suffix, 7},
                                                   {"boi_token" + suffix, 8},
                                                   {"eoi_token" + suffix, 9}});
    const VisionSpec& vision = large.spec.vision.value();
    QCOMPARE(vision.problem, std::string());
    QCOMPARE(vision.patches(), 4096);
    QCOMPARE(vision.pooledGrid(), 16);
    QCOMPARE(vision.headDim(), 72);
    QCOMPARE(vision.normEps, 1e-5);
    QVERIFY(vision.activation == Activation::GeluExact);
    QCOMPARE(vision.imageToken.value, 7);
    QCOMPARE(vision.beginToken.value, 8);
    QCOMPARE(vision.endToken.value, 9);
    QCOMPARE(large.unreadKeys, std::vector<std::string>{"vision_config.zoo"});
    // 5.46 · 10¹² operations for one image of Gemma 3 4B.
    QVERIFY(std::abs(vision.operations(2560) / 5.46e12 - 1.0) < 0.01);
  }
}

/// Tower sizes that are not supported are no error, because text can be computed without
/// the tower.
void tst_gemma3::unsupportedTowerSizesAreReported() {
  const auto problem = [](const Json& vision) {
    const Json config = {{"model_type", "gemma3"}, {"vision_config", vision}};
    const ModelDescription description = describeModel(config, "config.json");
    if (!description.visionTensors.empty()) return QString();
    return QString::fromStdString(description.spec.vision->problem);
  };
  QVERIFY(problem({{"image_size", 256}}).isEmpty());
  QVERIFY(problem({}).contains("14 × 14 patches cannot be averaged to 256 tokens"));
  QVERIFY(problem({{"image_size", 250}}).contains("250 pixels is not a multiple"));
  QVERIFY(problem({{"image_size", 256}, {"num_attention_heads", 5}})
              .contains("not a multiple of its 5 heads"));
  QVERIFY(problem({{"image_size", 256}, {"num_channels", 1}}).contains("1 channels"));
  QVERIFY(problem({{"image_size", 256}, {"patch_size", 1}})
              .contains("65536 patches of up to 3072 numbers are more than"));
  QVERIFY(problem({{"image_size", 8192}, {"patch_size", 64}})
              .contains("16384 patches of up to 12288 numbers are more than"));
  QVERIFY_ERROR(problem({{"hidden_size", 0}}), "\"vision_config\": \"hidden_size\"");
  QVERIFY_ERROR(problem({{"hidden_act", "mish"}}), "mish");
}

void tst_gemma3::bothMultimodalNameSchemesAreRead() {
  const auto golden = data("golden/gemma3_text");
  const QTemporaryDir temporary;
  const std::filesystem::path folder = temporary.path().toStdString();
  Json text = readJsonFile(golden / "config.json", 1'000'000);
  text.erase("architectures");
  const Json config = {{"model_type", "gemma3"}, {"text_config", text}};
  std::ofstream(folder / "config.json") << config.dump();
  const SafetensorsFile file = SafetensorsFile::open(golden / "model.safetensors");
  const auto save = [&](const std::string& body, const std::string& vision) {
    std::vector<TensorPlan> plan;
    for (const auto& [name, view] : file.tensors())
      plan.push_back({body + name.substr(6), view.dtype, view.shape});
    plan.push_back({vision + "vision_tower.post_layernorm.weight", DType::F32, {3}});
    plan.push_back({vision + "multi_modal_projector.w", DType::F32, {3}});
    SafetensorsWriter writer(folder / "model.safetensors", plan);
    for (const auto& [name, view] : file.tensors())
      writer.append(body + name.substr(6), view.bytes);
    const std::vector<float> three(3, 0.0F);
    writer.append(plan[plan.size() - 2].name, std::span<const float>(three));
    writer.append(plan.back().name, std::span<const float>(three));
    writer.finish();
  };
  const std::int64_t expected = Checkpoint::open(golden).parameterCount();
  for (const auto& [body, vision] : {std::pair("language_model.model.", ""),
                                     std::pair("model.language_model.", "model.")}) {
    save(body, vision);
    const Checkpoint checkpoint = Checkpoint::open(folder);
    QCOMPARE(checkpoint.parameterCount(), expected);
    QVERIFY(checkpoint.unreadTensors().empty());
    QCOMPARE(checkpoint.ignoredTensors().size(), std::size_t{2});
  }
}

EQUIPATCH_TEST(tst_gemma3)
#include "tst_gemma3.moc"

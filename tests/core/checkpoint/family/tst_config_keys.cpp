// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/family/config_keys.h"

#include <nlohmann/json.hpp>

#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

constexpr SizeDefaults kSizeDefaults{.vocabulary = 100,
                                     .width = 64,
                                     .mlpWidth = 96,
                                     .layers = 2,
                                     .heads = 8,
                                     .kvHeads = std::nullopt,
                                     .headDim = std::nullopt,
                                     .maxPositions = 128};

ModelSpec sizes(const Json& config, const SizeDefaults& defaults = kSizeDefaults) {
  JsonObject object(config, "config.json");
  ModelSpec spec;
  readSizes(object, defaults, spec);
  return spec;
}

ModelSpec tokens(const Json& config, std::int64_t vocabulary = 100) {
  JsonObject object(config, "config.json");
  ModelSpec spec;
  spec.vocabulary = vocabulary;
  readTokens(object, {.begin = 1, .end = 2}, spec);
  return spec;
}

template <typename Reader>
auto read(const Json& config, Reader reader) {
  JsonObject object(config, "config.json");
  return reader(object);
}

}  // namespace

class tst_config_keys : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void absentAndNullKeysTakeDefaults();
  void keysReplaceDefaults();
  void headDimFollowsFromTheWidthUnlessGiven();
  void invalidSizesAreRefused_data();
  void invalidSizesAreRefused();
  void endOfSequenceMayBeNoneOneOrManyTokens();
  void idsOutsideTheVocabularyAreRefusedAndDefaultsDropped();
  void dtypeIsReadFromEitherOfTwoKeys();
  void normEpsMustBeWithinItsLimits();
  void numbersMustBePositive();
  void activationsAreReadByName();
  void unsupportedKeysAreRefused_data();
  void unsupportedKeysAreRefused();
  void harmlessValuesAreAccepted();
  void keysReadByTheFamilyAreAccepted();
  void earlySizeKeysAreRead();
};

void tst_config_keys::absentAndNullKeysTakeDefaults() {
  const ModelSpec spec = sizes({{"vocab_size", nullptr}, {"head_dim", nullptr}});
  QCOMPARE(spec.vocabulary, std::int64_t{100});
  QCOMPARE(spec.width, std::int64_t{64});
  QCOMPARE(spec.mlpWidth, std::int64_t{96});
  QCOMPARE(spec.layerCount(), std::int64_t{2});
  QCOMPARE(spec.heads, std::int64_t{8});
  QCOMPARE(spec.kvHeads, std::int64_t{8});
  QCOMPARE(spec.headDim, std::int64_t{8});
  QCOMPARE(spec.maxPositions, std::int64_t{128});
}

void tst_config_keys::keysReplaceDefaults() {
  const ModelSpec spec = sizes({{"vocab_size", 7},
                                {"hidden_size", 10},
                                {"intermediate_size", 11},
                                {"num_hidden_layers", 3},
                                {"num_attention_heads", 6},
                                {"num_key_value_heads", 3},
                                {"head_dim", 4},
                                {"max_position_embeddings", 9}});
  QCOMPARE(spec.vocabulary, std::int64_t{7});
  QCOMPARE(spec.width, std::int64_t{10});
  QCOMPARE(spec.mlpWidth, std::int64_t{11});
  QCOMPARE(spec.layerCount(), std::int64_t{3});
  QCOMPARE(spec.heads, std::int64_t{6});
  QCOMPARE(spec.kvHeads, std::int64_t{3});
  QCOMPARE(spec.headDim, std::int64_t{4});
  QCOMPARE(spec.maxPositions, std::int64_t{9});
}

void tst_config_keys::headDimFollowsFromTheWidthUnlessGiven() {
  QCOMPARE(sizes({{"hidden_size", 48}, {"num_attention_heads", 6}}).headDim,
           std::int64_t{8});
  SizeDefaults gemma = kSizeDefaults;
  gemma.headDim = 256;
  gemma.kvHeads = 4;
  QCOMPARE(sizes({{"hidden_size", 48}}, gemma).headDim, std::int64_t{256});
  QCOMPARE(sizes({{"head_dim", 16}}, gemma).headDim, std::int64_t{16});
  QCOMPARE(sizes(Json::object(), gemma).kvHeads, std::int64_t{4});
  QVERIFY_ERROR(sizes({{"num_attention_heads", 6}}, gemma), "6", "multiple", "4");
}

void tst_config_keys::invalidSizesAreRefused_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<QString>("part");
  const auto row = [](const char* text, const char* part) {
    QTest::newRow(text) << QByteArray(text) << QString(part);
  };
  row(R"({"vocab_size": 0})", "found 0");
  row(R"({"vocab_size": -5})", "found -5");
  row(R"({"vocab_size": 16777217})", "16777216");
  row(R"({"vocab_size": "100"})", "\"vocab_size\"");
  row(R"({"vocab_size": 1e3})", "\"vocab_size\"");
  row(R"({"hidden_size": 131073})", "131072");
  row(R"({"hidden_size": 9223372036854775807})", "9223372036854775807");
  row(R"({"hidden_size": 60})", "multiple");
  row(R"({"intermediate_size": 1048577})", "1048576");
  row(R"({"num_hidden_layers": 1025})", "1024");
  row(R"({"num_hidden_layers": 0})", "found 0");
  row(R"({"num_attention_heads": 0})", "found 0");
  row(R"({"num_attention_heads": 1025})", "1024");
  row(R"({"num_attention_heads": 6})", "multiple");
  row(R"({"num_key_value_heads": 3})", "multiple");
  row(R"({"num_key_value_heads": 16})", "multiple");
  row(R"({"head_dim": 0})", "found 0");
  row(R"({"head_dim": 8194})", "8192");
  row(R"({"max_position_embeddings": 2147483649})", "2147483648");
}

void tst_config_keys::invalidSizesAreRefused() {
  QFETCH(QByteArray, text);
  QFETCH(QString, part);
  QVERIFY_ERROR(sizes(parseJson(text.toStdString(), "c")), "config.json",
                qPrintable(part));
}

void tst_config_keys::endOfSequenceMayBeNoneOneOrManyTokens() {
  ModelSpec spec = tokens(Json::object());
  QVERIFY(spec.beginOfSequence == TokenId(1));
  QCOMPARE(spec.endOfSequence.size(), std::size_t{1});
  QVERIFY(spec.endOfSequence[0] == TokenId(2));
  spec = tokens({{"bos_token_id", nullptr}, {"eos_token_id", nullptr}});
  QVERIFY(!spec.beginOfSequence.has_value());
  QVERIFY(spec.endOfSequence.empty());
  spec = tokens({{"bos_token_id", 0}, {"eos_token_id", {1, 99}}});
  QVERIFY(spec.beginOfSequence == TokenId(0));
  QVERIFY((spec.endOfSequence == std::vector<TokenId>{TokenId(1), TokenId(99)}));
  QVERIFY(tokens({{"eos_token_id", Json::array()}}).endOfSequence.empty());
  QVERIFY(
      (tokens({{"eos_token_id", 5}}).endOfSequence == std::vector<TokenId>{TokenId(5)}));
}

void tst_config_keys::idsOutsideTheVocabularyAreRefusedAndDefaultsDropped() {
  QVERIFY_ERROR(tokens({{"eos_token_id", 100}}), "\"eos_token_id\"", "from 0 to 99");
  QVERIFY_ERROR(tokens({{"eos_token_id", {1, 100}}}), "\"eos_token_id\"", "100");
  QVERIFY_ERROR(tokens({{"bos_token_id", -1}}), "\"bos_token_id\"", "-1");
  const ModelSpec spec = tokens(Json::object(), 2);
  QVERIFY(spec.beginOfSequence == TokenId(1));
  QVERIFY(spec.endOfSequence.empty());
}

void tst_config_keys::dtypeIsReadFromEitherOfTwoKeys() {
  QVERIFY(read(Json::object(), readStoredDType) == DType::F32);
  QVERIFY(read({{"torch_dtype", "bfloat16"}}, readStoredDType) == DType::BF16);
  QVERIFY(read({{"dtype", "float16"}}, readStoredDType) == DType::F16);
  const Json both = {{"dtype", "float16"}, {"torch_dtype", "float16"}};
  QVERIFY(read(both, readStoredDType) == DType::F16);
  const Json differing = {{"dtype", "float16"}, {"torch_dtype", "float32"}};
  QVERIFY_ERROR(read(differing, readStoredDType), "float16", "float32", "agree");
  QVERIFY_ERROR(read({{"dtype", "float8_e4m3fn"}}, readStoredDType), "float8_e4m3fn");
  QVERIFY_ERROR(read({{"torch_dtype", "int8"}}, readStoredDType), "int8");
  QVERIFY_ERROR(read({{"torch_dtype", 5}}, readStoredDType), "torch_dtype");
}

void tst_config_keys::normEpsMustBeWithinItsLimits() {
  const auto eps = [](JsonObject& object) {
    return readNormEps(object, "rms_norm_eps", 1e-6);
  };
  QCOMPARE(read(Json::object(), eps), 1e-6);
  QCOMPARE(read({{"rms_norm_eps", 1e-5}}, eps), 1e-5);
  for (const double bad : {0.0, -1e-6, 1e-60, 2.0, 1e300})
    QVERIFY_ERROR(read({{"rms_norm_eps", bad}}, eps), "rms_norm_eps",
                  "between 1e-30 and 1");
  QVERIFY_ERROR(read({{"rms_norm_eps", "1e-6"}}, eps), "rms_norm_eps", "a finite number");
}

void tst_config_keys::numbersMustBePositive() {
  const auto number = [](JsonObject& object) { return positiveNumber(object, "a"); };
  QVERIFY(!read(Json::object(), number).has_value());
  QCOMPARE(*read({{"a", 50}}, number), 50.0);
  QVERIFY_ERROR(read({{"a", 0}}, number),
                "\"a\" should be positive, at least 2.3e-308, found 0");
  QVERIFY_ERROR(read({{"a", -0.5}}, number), "found -0.5");
  QVERIFY_ERROR(read({{"a", false}}, number), "a finite number");
}

void tst_config_keys::activationsAreReadByName() {
  const auto activation = [](JsonObject& object) {
    return readActivation(object, "hidden_act", Activation::Silu);
  };
  QVERIFY(read(Json::object(), activation) == Activation::Silu);
  QVERIFY(read({{"hidden_act", "gelu"}}, activation) == Activation::GeluExact);
  QVERIFY(read({{"hidden_act", "gelu_new"}}, activation) == Activation::GeluTanh);
  QVERIFY(read({{"hidden_act", "gelu_pytorch_tanh"}}, activation) ==
          Activation::GeluTanh);
  QVERIFY(read({{"hidden_act", "silu"}}, activation) == Activation::Silu);
  QVERIFY(read({{"hidden_act", "relu"}}, activation) == Activation::Relu);
  QVERIFY(read({{"hidden_act", "quick_gelu"}}, activation) == Activation::QuickGelu);
  QVERIFY_ERROR(read({{"hidden_act", "relu2"}}, activation), "\"hidden_act\"",
                "\"relu2\"", "silu");
}

void tst_config_keys::unsupportedKeysAreRefused_data() {
  QTest::addColumn<QByteArray>("text");
  for (const char* text :
       {R"({"quantization_config": {"bits": 4}})", R"({"compression_config": {}})",
        R"({"partial_rotary_factor": 0.5})", R"({"is_encoder_decoder": true})",
        R"({"attention_bias": true})", R"({"mlp_bias": true})", R"({"num_experts": 8})",
        R"({"scoring_func": "sigmoid"})", R"({"use_sliding_window": true})",
        R"({"add_cross_attention": true})", R"({"use_bidirectional_attention": true})"})
    QTest::newRow(text) << QByteArray(text);
}

void tst_config_keys::unsupportedKeysAreRefused() {
  QFETCH(QByteArray, text);
  const Json config = parseJson(text.toStdString(), "c");
  JsonObject object(config, "config.json");
  const std::string key = "\"" + config.begin().key() + "\"";
  QVERIFY_ERROR(settleCommonKeys(object), "config.json", key.c_str(), "not supported");
}

void tst_config_keys::harmlessValuesAreAccepted() {
  const Json config = {{"quantization_config", nullptr}, {"partial_rotary_factor", 1},
                       {"is_encoder_decoder", false},    {"use_cache", true},
                       {"attention_dropout", 0.1},       {"pretraining_tp", 2}};
  JsonObject object(config, "config.json");
  settleCommonKeys(object);
  QVERIFY(object.unread().empty());
}

void tst_config_keys::keysReadByTheFamilyAreAccepted() {
  const Json config = {{"attention_bias", true}, {"num_experts", 8}};
  JsonObject unread(config, "config.json");
  QVERIFY(unread.boolean("attention_bias", false));
  QVERIFY_ERROR(settleCommonKeys(unread), "num_experts");
  JsonObject read(config, "config.json");
  QVERIFY(read.boolean("attention_bias", false));
  QVERIFY(read.has("num_experts"));
  settleCommonKeys(read);
}

void tst_config_keys::earlySizeKeysAreRead() {
  SizeDefaults early = kSizeDefaults;
  early.keys = kEarlySizeKeys;
  early.mlpWidth = 0;
  const ModelSpec spec =
      sizes({{"n_embd", 24}, {"n_layer", 3}, {"n_head", 4}, {"n_positions", 9}}, early);
  QCOMPARE(spec.width, std::int64_t{24});
  QCOMPARE(spec.mlpWidth, std::int64_t{96});
  QCOMPARE(spec.layerCount(), std::int64_t{3});
  QCOMPARE(spec.heads, std::int64_t{4});
  QCOMPARE(spec.kvHeads, std::int64_t{4});
  QCOMPARE(spec.headDim, std::int64_t{6});
  QCOMPARE(spec.maxPositions, std::int64_t{9});
  QCOMPARE(sizes({{"hidden_size", 8}, {"num_key_value_heads", 2}}, early).width,
           std::int64_t{64});
  QVERIFY_ERROR(sizes({{"n_embd", 0}}, early), "n_embd");
  // These families have no key for the size of a head.
  const QString uneven = test::errorOf([&] {
    static_cast<void>(sizes({{"n_embd", 25}}, early));
  });
  QVERIFY(uneven.contains("n_embd") && !uneven.contains("head_dim"));
}

EQUIPATCH_TEST(tst_config_keys)
#include "tst_config_keys.moc"

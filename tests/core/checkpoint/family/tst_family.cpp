// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/family/family.h"

#include <nlohmann/json.hpp>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_family : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void architecturesSelectTheFamily();
  void modelTypeReplacesMissingArchitectures();
  void anUnknownArchitectureIsNamed();
  void anUnknownModelTypeIsNamed();
  void classificationHeadsAreRefused();
  void aModelWithoutHeadHasTheSameFamily();
  void architectureAndModelTypeMustAgree();
  void configsThatNameNoModelAreRefused();
  void unreadKeysAreListed();
  void theStatedArchitectureIsCopiedFromTheConfig_data();
  void theStatedArchitectureIsCopiedFromTheConfig();
};

void tst_family::architecturesSelectTheFamily() {
  for (const std::string& name : supportedArchitectures())
    QCOMPARE(describeModel({{"architectures", {name}}}, "c").spec.architecture, name);
  QCOMPARE(supportedArchitectures().size(), std::size_t{32});
}

void tst_family::modelTypeReplacesMissingArchitectures() {
  QCOMPARE(describeModel({{"model_type", "gemma3_text"}}, "c").spec.architecture,
           std::string("Gemma3ForCausalLM"));
  QCOMPARE(describeModel({{"architectures", nullptr}, {"model_type", "llama"}}, "c")
               .spec.architecture,
           std::string("LlamaForCausalLM"));
}

void tst_family::anUnknownArchitectureIsNamed() {
  try {
    describeModel({{"architectures", {"MambaForCausalLM"}}, {"model_type", "mamba"}},
                  "c");
    QFAIL("was described");
  } catch (const Error& error) {
    QVERIFY(error.kind() == ErrorKind::Unsupported);
    const QString sentence(error.what());
    for (const char* part :
         {"c: ", "\"MambaForCausalLM\"", "LlamaForCausalLM", "Gemma3ForCausalLM"})
      QVERIFY2(sentence.contains(part), qPrintable(sentence));
  }
}

void tst_family::anUnknownModelTypeIsNamed() {
  QVERIFY_ERROR(describeModel({{"model_type", "mamba"}}, "c"), "model_type \"mamba\"",
                "LlamaForCausalLM");
}

void tst_family::classificationHeadsAreRefused() {
  QVERIFY_ERROR(describeModel({{"architectures", {"LlamaForSequenceClassification"}},
                               {"model_type", "llama"}},
                              "c"),
                "LlamaForSequenceClassification", "not supported");
}

void tst_family::aModelWithoutHeadHasTheSameFamily() {
  const ModelDescription body =
      describeModel({{"architectures", {"GPT2Model"}}, {"model_type", "gpt2"}}, "c");
  QCOMPARE(body.spec.architecture, std::string("GPT2LMHeadModel"));
}

void tst_family::architectureAndModelTypeMustAgree() {
  QVERIFY_ERROR(
      describeModel({{"architectures", {"LlamaForCausalLM"}}, {"model_type", "mistral"}},
                    "c"),
      "LlamaForCausalLM", "llama", "mistral");
}

void tst_family::configsThatNameNoModelAreRefused() {
  QVERIFY_ERROR(describeModel(Json::object(), "c"), "architectures", "model_type");
  QVERIFY_ERROR(describeModel(Json::array(), "c"), "a JSON object");
  QVERIFY_ERROR(describeModel({{"architectures", Json::array()}}, "c"), "architectures");
  QVERIFY_ERROR(describeModel({{"architectures", {1}}}, "c"), "architectures");
  QVERIFY_ERROR(describeModel({{"architectures", "LlamaForCausalLM"}}, "c"),
                "architectures");
}

void tst_family::unreadKeysAreListed() {
  const ModelDescription description =
      describeModel({{"model_type", "llama"},
                     {"zoo", 1},
                     {"use_cache", true},
                     {"transformers_version", "4.51.0"},
                     {"logit_scale", 0.5},
                     {"rope_scaling", {{"rope_type", "default"}, {"factor", 2.0}}}},
                    "c");
  QCOMPARE(description.unreadKeys,
           (std::vector<std::string>{"logit_scale", "rope_scaling.factor", "zoo"}));
}

void tst_family::theStatedArchitectureIsCopiedFromTheConfig_data() {
  QTest::addColumn<QByteArray>("config");
  QTest::addColumn<QString>("word");
  QTest::newRow("class") << QByteArray(
                                R"({"architectures": ["A", "B"], "model_type": "t"})")
                         << "A";
  QTest::newRow("type") << QByteArray(R"({"architectures": null, "model_type": "t"})")
                        << "t";
  QTest::newRow("empty list") << QByteArray(R"({"architectures": []})") << "";
  QTest::newRow("no names") << QByteArray(R"({"architectures": [1], "model_type": 2})")
                            << "";
  QTest::newRow("no object") << QByteArray("[]") << "";
}

void tst_family::theStatedArchitectureIsCopiedFromTheConfig() {
  QFETCH(QByteArray, config);
  QFETCH(QString, word);
  QCOMPARE(QString::fromStdString(statedArchitecture(Json::parse(config.toStdString()))),
           word);
}

EQUIPATCH_TEST(tst_family)
#include "tst_family.moc"

#include "core/text/tokenizer_config.h"

#include <QTemporaryDir>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_tokenizer_config : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void readsBothSpellingsOfTokens();
  void leavesAbsentThingsOpen();
  void readsAFolder();
  void refusesWrongTypes();
};

void tst_tokenizer_config::readsBothSpellingsOfTokens() {
  const auto config = TokenizerConfig::parse(
      Json::parse(R"({"add_bos_token":true,"add_eos_token":false,"bos_token":"<s>",
                      "eos_token":{"__type":"AddedToken","content":"</s>"},
                      "model_max_length":1000000000000000019884624838656})"),
      "f");
  QCOMPARE(config.addBos, std::optional(true));
  QCOMPARE(config.addEos, std::optional(false));
  QCOMPARE(config.bosToken, std::optional<std::string>("<s>"));
  QCOMPARE(config.eosToken, std::optional<std::string>("</s>"));
}

void tst_tokenizer_config::leavesAbsentThingsOpen() {
  const auto config =
      TokenizerConfig::parse(Json::parse(R"({"add_bos_token":null})"), "f");
  QVERIFY(!config.addBos && !config.addEos && !config.bosToken && !config.eosToken);
}

void tst_tokenizer_config::readsAFolder() {
  QTemporaryDir folder;
  const std::filesystem::path path = folder.path().toStdString();
  QVERIFY(!TokenizerConfig::read(path).addBos);
  std::ofstream(path / "tokenizer_config.json") << R"({"add_bos_token": false})";
  QCOMPARE(TokenizerConfig::read(path).addBos, std::optional(false));
  std::ofstream(path / "tokenizer_config.json") << "{";
  QVERIFY_ERROR(TokenizerConfig::read(path), "tokenizer_config.json");
}

void tst_tokenizer_config::refusesWrongTypes() {
  const auto parse = [](const char* json) {
    return TokenizerConfig::parse(Json::parse(json), "f");
  };
  QVERIFY_ERROR(parse(R"({"add_bos_token":"yes"})"), "add_bos_token");
  QVERIFY_ERROR(parse(R"({"bos_token":3})"), "bos_token");
  QVERIFY_ERROR(parse(R"({"bos_token":{"content":3}})"), "bos_token", "content");
  QVERIFY_ERROR(parse(R"([])"), "f");
}

EQUIPATCH_TEST(tst_tokenizer_config)
#include "tst_tokenizer_config.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer_config.h"

#include <QTemporaryDir>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/core/text/text_helpers.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;
using equipatch::test::TextFolder;

using Roles = std::map<std::string, std::string>;

class tst_tokenizer_config : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void readsBothSpellingsOfTokens();
  void missingKeysAreUnset();
  void bosAndEosComeFromFileOrClass();
  void readsAFolder();
  void refusesWrongTypes();
  void specialTokensAreEmptyWithoutFiles();
  void specialTokensComeFromTheConfigFirst();
  void specialTokensFallBackToTheClass();
  void nullMeansNoSpecialToken();
  void refusesInvalidSpecialTokens();
  void addedTokensAreEmptyWithoutFiles();
  void addedTokensComeFromTheConfig();
  void addedTokensComeFromTheirFile();
  void addedTokensIncludeSpecialVocabularyPieces();
  void refusesInvalidAddedTokens_data();
  void refusesInvalidAddedTokens();
};

void tst_tokenizer_config::readsBothSpellingsOfTokens() {
  const auto config =
      TokenizerConfigFile(
          "f",
          Json::parse(R"({"add_bos_token":true,"add_eos_token":false,"bos_token":"<s>",
                      "eos_token":{"__type":"AddedToken","content":"</s>"},
                      "model_max_length":1000000000000000019884624838656})"))
          .config();
  QCOMPARE(config.addBos, std::optional(true));
  QCOMPARE(config.addEos, std::optional(false));
  QCOMPARE(config.bosToken, std::optional<std::string>("<s>"));
  QCOMPARE(config.eosToken, std::optional<std::string>("</s>"));
}

void tst_tokenizer_config::missingKeysAreUnset() {
  const auto config =
      TokenizerConfigFile("f", Json::parse(R"({"add_bos_token":null})")).config();
  QVERIFY(!config.addBos && !config.addEos && !config.bosToken && !config.eosToken);
}

void tst_tokenizer_config::bosAndEosComeFromFileOrClass() {
  const TextFolder folder;
  folder.write("tokenizer_config.json", R"({"tokenizer_class": "LlamaTokenizer"})");
  folder.write("special_tokens_map.json", R"({"bos_token": {"content": "<b>"}})");
  const auto config = TokenizerConfigFile::read(folder.path()).config();
  QCOMPARE(config.bosToken, std::optional<std::string>("<b>"));
  QCOMPARE(config.eosToken, std::optional<std::string>("</s>"));
}

void tst_tokenizer_config::readsAFolder() {
  QTemporaryDir folder;
  const std::filesystem::path path = folder.path().toStdString();
  QVERIFY(!TokenizerConfigFile::read(path).config().addBos);
  std::ofstream(path / "tokenizer_config.json") << R"({"add_bos_token": false})";
  QCOMPARE(TokenizerConfigFile::read(path).config().addBos, std::optional(false));
  std::ofstream(path / "tokenizer_config.json") << "{";
  QVERIFY_ERROR(TokenizerConfigFile::read(path).config(), "tokenizer_config.json");
}

void tst_tokenizer_config::refusesWrongTypes() {
  const auto parse = [](const char* json) {
    return TokenizerConfigFile("f", Json::parse(json)).config();
  };
  QVERIFY_ERROR(parse(R"({"add_bos_token":"yes"})"), "add_bos_token");
  QVERIFY_ERROR(parse(R"({"bos_token":3})"), "bos_token");
  QVERIFY_ERROR(parse(R"({"bos_token":{"content":3}})"), "bos_token", "content");
  QVERIFY_ERROR(parse(R"([])"), "f/tokenizer_config.json: expected a JSON object");
}

void tst_tokenizer_config::specialTokensAreEmptyWithoutFiles() {
  const TextFolder folder;
  QVERIFY(TokenizerConfigFile::read(folder.path()).specialTokens().byRole.empty());
}

void tst_tokenizer_config::specialTokensComeFromTheConfigFirst() {
  const TextFolder folder;
  folder.write("tokenizer_config.json",
               R"({"bos_token": {"content": "<b>", "lstrip": false}, "pad_token": ""})");
  folder.write("special_tokens_map.json",
               R"({"bos_token": "<other>", "eos_token": "<e>",
                   "additional_special_tokens": ["<x>", {"content": "<y>"}]})");
  const auto names = TokenizerConfigFile::read(folder.path()).specialTokens();
  QCOMPARE(names.byRole, (Roles{{"bos_token", "<b>"}, {"eos_token", "<e>"}}));
  QCOMPARE(names.additional, (std::vector<std::string>{"<x>", "<y>"}));
}

void tst_tokenizer_config::specialTokensFallBackToTheClass() {
  const TextFolder folder;
  folder.write("tokenizer_config.json",
               R"({"tokenizer_class": "LlamaTokenizerFast", "eos_token": "<end>"})");
  QCOMPARE(TokenizerConfigFile::read(folder.path()).specialTokens().byRole,
           (Roles{{"bos_token", "<s>"}, {"eos_token", "<end>"}, {"unk_token", "<unk>"}}));
}

void tst_tokenizer_config::nullMeansNoSpecialToken() {
  const TextFolder folder;
  folder.write("tokenizer_config.json",
               R"({"tokenizer_class": "GPT2Tokenizer", "bos_token": null})");
  folder.write("special_tokens_map.json", R"({"bos_token": "<s>"})");
  QCOMPARE(TokenizerConfigFile::read(folder.path()).specialTokens().byRole,
           (Roles{{"eos_token", "<|endoftext|>"}, {"unk_token", "<|endoftext|>"}}));
}

void tst_tokenizer_config::refusesInvalidSpecialTokens() {
  const TextFolder folder;
  folder.write("tokenizer_config.json", R"({"bos_token": 3})");
  QVERIFY_ERROR(TokenizerConfigFile::read(folder.path()).specialTokens(),
                "tokenizer_config.json", "bos_token");
  folder.write("tokenizer_config.json", R"({"additional_special_tokens": "<x>"})");
  QVERIFY_ERROR(TokenizerConfigFile::read(folder.path()).specialTokens(),
                "additional_special_tokens should be a list", "string");
}

namespace {

/// "id content special" of each token.
std::vector<std::string> read(const TextFolder& folder, const Vocabulary& model = {}) {
  std::vector<std::string> result;
  for (const Json& token : TokenizerConfigFile::read(folder.path()).addedTokens(model))
    result.push_back(token["id"].dump() + " " + token["content"].get<std::string>() +
                     (token.value("special", Json(false)) == true ? " special" : ""));
  return result;
}

using Tokens = std::vector<std::string>;

}  // namespace

void tst_tokenizer_config::addedTokensAreEmptyWithoutFiles() {
  QCOMPARE(read(TextFolder()), Tokens{});
}

void tst_tokenizer_config::addedTokensComeFromTheConfig() {
  const TextFolder folder;
  folder.write("added_tokens.json", R"({"<old>": 9})");
  folder.write("tokenizer_config.json",
               R"({"added_tokens_decoder": {"7": {"content": "<a>", "special": true,
                   "__type": "AddedToken"}, "8": {"content": "<b>", "lstrip": true}}})");
  QCOMPARE(read(folder), (Tokens{"7 <a> special", "8 <b>"}));
  const Json tokens = TokenizerConfigFile::read(folder.path()).addedTokens({});
  QVERIFY(!tokens[0].contains("__type"));
  QVERIFY(tokens[1]["lstrip"].get<bool>());
  // A role makes a token special, whatever its entry says.
  folder.write("special_tokens_map.json", R"({"eos_token": "<b>"})");
  QCOMPARE(read(folder), (Tokens{"7 <a> special", "8 <b> special"}));
}

void tst_tokenizer_config::addedTokensComeFromTheirFile() {
  const TextFolder folder;
  folder.write("added_tokens.json", R"({"<a>": 7, "<b>": 8})");
  folder.write("special_tokens_map.json", R"({"eos_token": "<b>"})");
  QCOMPARE(read(folder), (Tokens{"7 <a>", "8 <b> special"}));
}

void tst_tokenizer_config::addedTokensIncludeSpecialVocabularyPieces() {
  const TextFolder folder;
  folder.write("special_tokens_map.json",
               R"({"eos_token": "<e>", "bos_token": "<none>",
                   "additional_special_tokens": ["<x>"]})");
  Vocabulary model;
  model.add("<e>", 3, "f");
  model.add("<x>", 4, "f");
  QCOMPARE(read(folder, model), (Tokens{"3 <e> special", "4 <x> special"}));
  folder.write("added_tokens.json", R"({"<e>": 3})");
  QCOMPARE(read(folder, model), (Tokens{"3 <e> special", "4 <x> special"}));
}

void tst_tokenizer_config::refusesInvalidAddedTokens_data() {
  QTest::addColumn<QByteArray>("config");
  QTest::addColumn<QString>("part");
  QTest::newRow("a list") << QByteArray("[]") << "object";
  QTest::newRow("no id") << QByteArray(R"({"x": {"content": "a"}})") << "\"x\"";
  QTest::newRow("negative") << QByteArray(R"({"-1": {"content": "a"}})") << "\"-1\"";
  QTest::newRow("huge") << QByteArray(R"({"99999999999999999999": {}})")
                        << "\"99999999999999999999\"";
  QTest::newRow("no token") << QByteArray(R"({"1": "a"})") << "\"1\"";
}

void tst_tokenizer_config::refusesInvalidAddedTokens() {
  QFETCH(QByteArray, config);
  QFETCH(QString, part);
  const TextFolder folder;
  folder.write("tokenizer_config.json",
               "{\"added_tokens_decoder\": " + config.toStdString() + "}");
  QVERIFY_ERROR(read(folder), "tokenizer_config.json", part);
  if (config == "[]") {
    folder.write("tokenizer_config.json", "{}");
    folder.write("added_tokens.json", "[]");
    QVERIFY_ERROR(read(folder), "added_tokens.json", "object");
  }
}

EQUIPATCH_TEST(tst_tokenizer_config)
#include "tst_tokenizer_config.moc"

#include "core/text/added_tokens_files.h"

#include <nlohmann/json.hpp>

#include "tests/core/text/text_helpers.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

class tst_added_tokens_files : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void areNoneWhereNothingNamesThem();
  void comeFromTheConfig();
  void comeFromTheirOwnFile();
  void includePiecesWithARole();
  void refuseWhatCannotBe_data();
  void refuseWhatCannotBe();
};

namespace {

/// "id content special" of each token.
std::vector<std::string> read(const TextFolder& folder, const Vocabulary& model = {}) {
  std::vector<std::string> result;
  for (const Json& token : readAddedTokensFiles(folder.path(), model))
    result.push_back(token["id"].dump() + " " + token["content"].get<std::string>() +
                     (token.value("special", false) ? " special" : ""));
  return result;
}

using Tokens = std::vector<std::string>;

}  // namespace

void tst_added_tokens_files::areNoneWhereNothingNamesThem() {
  QCOMPARE(read(TextFolder()), Tokens{});
}

void tst_added_tokens_files::comeFromTheConfig() {
  const TextFolder folder;
  folder.write("added_tokens.json", R"({"<old>": 9})");
  folder.write("tokenizer_config.json",
               R"({"added_tokens_decoder": {"7": {"content": "<a>", "special": true,
                   "__type": "AddedToken"}, "8": {"content": "<b>", "lstrip": true}}})");
  QCOMPARE(read(folder), (Tokens{"7 <a> special", "8 <b>"}));
  const Json tokens = readAddedTokensFiles(folder.path(), {});
  QVERIFY(!tokens[0].contains("__type"));
  QVERIFY(tokens[1]["lstrip"].get<bool>());
}

void tst_added_tokens_files::comeFromTheirOwnFile() {
  const TextFolder folder;
  folder.write("added_tokens.json", R"({"<a>": 7, "<b>": 8})");
  folder.write("special_tokens_map.json", R"({"eos_token": "<b>"})");
  QCOMPARE(read(folder), (Tokens{"7 <a>", "8 <b> special"}));
}

void tst_added_tokens_files::includePiecesWithARole() {
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

void tst_added_tokens_files::refuseWhatCannotBe_data() {
  QTest::addColumn<QByteArray>("config");
  QTest::addColumn<QString>("part");
  QTest::newRow("a list") << QByteArray("[]") << "object";
  QTest::newRow("no id") << QByteArray(R"({"x": {"content": "a"}})") << "\"x\"";
  QTest::newRow("negative") << QByteArray(R"({"-1": {"content": "a"}})") << "-1";
  QTest::newRow("huge") << QByteArray(R"({"99999999999999999999": {}})") << "999";
  QTest::newRow("no token") << QByteArray(R"({"1": "a"})") << "\"1\"";
}

void tst_added_tokens_files::refuseWhatCannotBe() {
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

EQUIPATCH_TEST(tst_added_tokens_files)
#include "tst_added_tokens_files.moc"

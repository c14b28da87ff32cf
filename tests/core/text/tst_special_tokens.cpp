#include "core/text/special_tokens.h"

#include "tests/core/text/text_helpers.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using equipatch::test::TextFolder;
using Roles = std::map<std::string, std::string>;

class tst_special_tokens : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void areAbsentWhereNothingNamesThem();
  void comeFromTheConfigFirst();
  void fallBackToTheClass();
  void takeNullForAnAnswer();
  void refuseWhatIsNoToken();
};

void tst_special_tokens::areAbsentWhereNothingNamesThem() {
  const TextFolder folder;
  QVERIFY(SpecialTokenNames::read(folder.path()).byRole.empty());
}

void tst_special_tokens::comeFromTheConfigFirst() {
  const TextFolder folder;
  folder.write("tokenizer_config.json",
               R"({"bos_token": {"content": "<b>", "lstrip": false}, "pad_token": ""})");
  folder.write("special_tokens_map.json",
               R"({"bos_token": "<other>", "eos_token": "<e>",
                   "additional_special_tokens": ["<x>", {"content": "<y>"}]})");
  const auto names = SpecialTokenNames::read(folder.path());
  QCOMPARE(names.byRole, (Roles{{"bos_token", "<b>"}, {"eos_token", "<e>"}}));
  QCOMPARE(names.additional, (std::vector<std::string>{"<x>", "<y>"}));
}

void tst_special_tokens::fallBackToTheClass() {
  const TextFolder folder;
  folder.write("tokenizer_config.json",
               R"({"tokenizer_class": "LlamaTokenizerFast", "eos_token": "<end>"})");
  QCOMPARE(SpecialTokenNames::read(folder.path()).byRole,
           (Roles{{"bos_token", "<s>"}, {"eos_token", "<end>"}, {"unk_token", "<unk>"}}));
}

void tst_special_tokens::takeNullForAnAnswer() {
  const TextFolder folder;
  folder.write("tokenizer_config.json",
               R"({"tokenizer_class": "GPT2Tokenizer", "bos_token": null})");
  folder.write("special_tokens_map.json", R"({"bos_token": "<s>"})");
  QCOMPARE(SpecialTokenNames::read(folder.path()).byRole,
           (Roles{{"eos_token", "<|endoftext|>"}, {"unk_token", "<|endoftext|>"}}));
}

void tst_special_tokens::refuseWhatIsNoToken() {
  const TextFolder folder;
  folder.write("tokenizer_config.json", R"({"bos_token": 3})");
  QVERIFY_ERROR(SpecialTokenNames::read(folder.path()), "tokenizer_config.json",
                "bos_token");
}

EQUIPATCH_TEST(tst_special_tokens)
#include "tst_special_tokens.moc"

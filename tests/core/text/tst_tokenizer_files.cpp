#include "core/text/tokenizer_files.h"

#include "tests/core/text/text_helpers.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

class tst_tokenizer_files : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void areNoneInAnEmptyFolder();
  void areChosenInOrder();
  void followTheClass();
  void tellTheTwoModelsApart();
  void refuseToGuess();
};

namespace {

std::string chosen(const TextFolder& folder) {
  const auto files = TokenizerFiles::find(folder.path());
  return files ? files->path.filename().string() : "";
}

}  // namespace

void tst_tokenizer_files::areNoneInAnEmptyFolder() {
  const TextFolder folder;
  QVERIFY(!TokenizerFiles::find(folder.path()));
  QVERIFY(!TokenizerFiles::find("/nonexistent"));
  std::filesystem::create_directory(folder.path() / "tokenizer.json");
  QVERIFY(!TokenizerFiles::find(folder.path()));
}

void tst_tokenizer_files::areChosenInOrder() {
  const TextFolder folder;
  folder.write("qwen.tiktoken", "");
  QCOMPARE(chosen(folder), std::string("qwen.tiktoken"));
  folder.write("vocab.json", "");
  QCOMPARE(chosen(folder), std::string("qwen.tiktoken"));  // merges.txt is missing
  folder.write("merges.txt", "");
  QCOMPARE(chosen(folder), std::string("vocab.json"));
  QCOMPARE(TokenizerFiles::find(folder.path())->merges, folder.path() / "merges.txt");
  folder.write("tokenizer.model", "");
  QCOMPARE(chosen(folder), std::string("tokenizer.model"));
  folder.write("tokenizer.json", "");
  QCOMPARE(chosen(folder), std::string("tokenizer.json"));
}

void tst_tokenizer_files::followTheClass() {
  const TextFolder folder;
  for (const char* name : {"vocab.json", "merges.txt", "tokenizer.model"})
    folder.write(name, "");
  folder.write("tokenizer_config.json", R"({"tokenizer_class": "Qwen2Tokenizer"})");
  QCOMPARE(chosen(folder), std::string("vocab.json"));
  folder.write("tokenizer_config.json", R"({"tokenizer_class": "LlamaTokenizer"})");
  QCOMPARE(chosen(folder), std::string("tokenizer.model"));
}

void tst_tokenizer_files::tellTheTwoModelsApart() {
  const TextFolder folder;
  folder.write("tokenizer.model", "IQ== 0\n");
  QCOMPARE(TokenizerFiles::find(folder.path())->format, TokenizerFormat::Ranks);
  folder.write("tokenizer.model", "\n\x0E\n\x05<unk>");
  QCOMPARE(TokenizerFiles::find(folder.path())->format, TokenizerFormat::SentencePiece);
}

void tst_tokenizer_files::refuseToGuess() {
  const TextFolder folder;
  folder.write("a.tiktoken", "");
  folder.write("b.tiktoken", "");
  QVERIFY_ERROR(TokenizerFiles::find(folder.path()), "2 files *.tiktoken");
}

EQUIPATCH_TEST(tst_tokenizer_files)
#include "tst_tokenizer_files.moc"

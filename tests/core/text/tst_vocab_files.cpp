#include "core/text/vocab_files.h"

#include "tests/core/text/text_helpers.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

class tst_vocab_files : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void readsPiecesAndMerges();
  void namesTheBadLine_data();
  void namesTheBadLine();
  void refusesAVocabularyThatIsNone();
};

namespace {

std::string encoded(const std::string& merges, const std::string& text) {
  const TextFolder folder;
  folder.write("vocab.json", R"({"a": 0, "b": 1, "ab": 2, "#version": 3, "aab": 4})");
  folder.write("merges.txt", merges);
  const auto model =
      readVocabFiles(folder.path() / "vocab.json", folder.path() / "merges.txt");
  const auto encoder = model->makeEncoder();
  std::string result;
  for (const PieceToken& token : encoder->encode(text))
    result += (result.empty() ? "" : "|") + *model->vocabulary().piece(token.id);
  return result;
}

}  // namespace

void tst_vocab_files::readsPiecesAndMerges() {
  QCOMPARE(encoded("#version: 0.2\na b\na ab\n", "aabab"), std::string("aab|ab"));
  QCOMPARE(encoded("a b\r\na ab\r\n\r\n", "aab"), std::string("aab"));
  QCOMPARE(encoded("a b", "aab"), std::string("a|ab"));
  QCOMPARE(encoded("", "ab"), std::string("a|b"));
}

void tst_vocab_files::namesTheBadLine_data() {
  QTest::addColumn<QByteArray>("line");
  QTest::addColumn<QString>("part");
  QTest::newRow("one piece") << QByteArray("ab") << "line 2";
  QTest::newRow("three pieces") << QByteArray("a b a") << "line 2";
  QTest::newRow("unknown piece") << QByteArray("a x") << "\"x\"";
  QTest::newRow("no result") << QByteArray("b a") << "\"ba\"";
  QTest::newRow("no text") << QByteArray("a \xFF") << "UTF-8";
}

void tst_vocab_files::namesTheBadLine() {
  QFETCH(QByteArray, line);
  QFETCH(QString, part);
  QVERIFY_ERROR(encoded("a b\n" + line.toStdString() + "\n", "a"), "merges.txt", part);
}

void tst_vocab_files::refusesAVocabularyThatIsNone() {
  const TextFolder folder;
  folder.write("merges.txt", "");
  const auto read = [&] {
    return readVocabFiles(folder.path() / "vocab.json", folder.path() / "merges.txt");
  };
  QVERIFY_ERROR(read(), "vocab.json");
  folder.write("vocab.json", "[]");
  QVERIFY_ERROR(read(), "vocab.json", "object");
  folder.write("vocab.json", R"({"a": 0, "b": 0})");
  QVERIFY_ERROR(read(), "vocab.json", "id 0");
}

EQUIPATCH_TEST(tst_vocab_files)
#include "tst_vocab_files.moc"

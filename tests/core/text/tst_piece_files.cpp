// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/piece_files.h"

#include <QByteArray>

#include "core/text/pipeline/bpe.h"
#include "core/text/pipeline/byte_level.h"
#include "tests/core/text/text_helpers.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

using Pieces = std::vector<std::string>;

class tst_piece_files : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void rankFilesAreRecognisedByTheirFirstLine_data();
  void rankFilesAreRecognisedByTheirFirstLine();
  void readsRanks();
  void refusesInvalidRankLines_data();
  void refusesInvalidRankLines();
  void ranksDetermineTheMerges();
  void refusesIncompleteRanks();
  void readsVocabAndMerges();
  void namesTheBadMergeLine_data();
  void namesTheBadMergeLine();
  void refusesTooManyMerges();
  void refusesAnInvalidVocab();
};

namespace {

std::string lineOf(const std::string& piece, std::size_t rank) {
  return QByteArray::fromStdString(piece).toBase64().toStdString() + " " +
         std::to_string(rank) + "\n";
}

/// The 256 bytes, followed by these pieces.
Pieces withBytes(const Pieces& more) {
  Pieces pieces;
  for (int byte = 0; byte < 256; ++byte) pieces.emplace_back(1, static_cast<char>(byte));
  pieces.insert(pieces.end(), more.begin(), more.end());
  return pieces;
}

std::string encodedWith(const Bpe& model, std::string_view bytes) {
  std::string text;
  for (const char byte : bytes)
    text += byteLevelCharacter(static_cast<unsigned char>(byte));
  BpeEncoder encoder(model, ampleLimits());
  std::string result;
  for (const PieceToken& token : encoder.encode(text))
    result += (result.empty() ? "" : "|") + *model.vocabulary.piece(token.id);
  return result;
}

}  // namespace

void tst_piece_files::rankFilesAreRecognisedByTheirFirstLine_data() {
  QTest::addColumn<QByteArray>("bytes");
  QTest::addColumn<bool>("expected");
  QTest::newRow("ranks") << QByteArray("IQ== 0\nIg== 1\n") << true;
  QTest::newRow("other line ends") << QByteArray("IQ== 0\r\n") << true;
  QTest::newRow("empty") << QByteArray() << false;
  QTest::newRow("SentencePiece") << QByteArray("\n\x0E\n\x05<unk>\x15", 11) << false;
  QTest::newRow("JSON") << QByteArray("{\"a\": 1}") << false;
  QTest::newRow("merges") << QByteArray("#version: 0.2\na b\n") << false;
  QTest::newRow("no number") << QByteArray("IQ== x\n") << false;
  QTest::newRow("no base 64") << QByteArray("IQ=! 0\n") << false;
}

void tst_piece_files::rankFilesAreRecognisedByTheirFirstLine() {
  QFETCH(QByteArray, bytes);
  QFETCH(bool, expected);
  QCOMPARE(looksLikeRanks(bytes.toStdString()), expected);
}

void tst_piece_files::readsRanks() {
  QCOMPARE(readRanks(lineOf("b", 2) + "\n" + lineOf(std::string("\0\xFF", 2), 0), "f"),
           (Pieces{std::string("\0\xFF", 2), "", "b"}));
  QVERIFY(readRanks("", "f").empty());
}

void tst_piece_files::refusesInvalidRankLines_data() {
  QTest::addColumn<QByteArray>("line");
  QTest::addColumn<QString>("part");
  QTest::newRow("words") << QByteArray("hello world") << "base 64";
  QTest::newRow("negative") << QByteArray("IQ== -1") << "base 64";
  QTest::newRow("huge") << QByteArray("IQ== 99999999999") << "99999999999";
  QTest::newRow("beyond any number")
      << QByteArray("IQ== 99999999999999999999") << "line 2";
  QTest::newRow("nothing") << QByteArray(" 7") << "base 64";
  QTest::newRow("twice") << QByteArray("IQ== 0") << "rank 0 again";
}

void tst_piece_files::refusesInvalidRankLines() {
  QFETCH(QByteArray, line);
  QFETCH(QString, part);
  QVERIFY_ERROR(readRanks(lineOf("a", 0) + line.toStdString(), "f.model"), "f.model",
                "line 2", part);
}

void tst_piece_files::ranksDetermineTheMerges() {
  const Bpe model = bpeOfRanks(withBytes({"bc", "ab", "abc", "\xE2\x82"}), "f");
  QCOMPARE(encodedWith(model, "abcab"), std::string("abc|ab"));
  QCOMPARE(encodedWith(model, "abc"), std::string("abc"));
  QCOMPARE(encodedWith(model, "\xE2\x82\xAC"), std::string("âĤ|¬"));
  // "aa" must come first, from the left; then "aaa" has the lower rank.
  const Bpe runs = bpeOfRanks(withBytes({"aaa", "aa"}), "f");
  QCOMPARE(encodedWith(runs, "aaaa"), std::string("aaa|a"));
}

void tst_piece_files::refusesIncompleteRanks() {
  QVERIFY_ERROR(bpeOfRanks({"a", "b"}, "f.model"), "f.model", "2 bytes", "256");
  QVERIFY_ERROR(bpeOfRanks(withBytes({"ab", "ab"}), "f.model"), "f.model", "ab");
  QVERIFY_ERROR(bpeOfRanks(withBytes({std::string(100'000, 'a')}), "f.model"), "f.model",
                "longer");
}

namespace {

std::string encoded(const std::string& merges, const std::string& text) {
  const TextFolder folder;
  folder.write("vocab.json", R"({"a": 0, "b": 1, "ab": 2, "#version": 3, "aab": 4})");
  folder.write("merges.txt", merges);
  const auto model =
      readVocabFiles(folder.path() / "vocab.json", folder.path() / "merges.txt");
  const auto encoder = model->makeEncoder(ampleLimits());
  std::string result;
  for (const PieceToken& token : encoder->encode(text))
    result += (result.empty() ? "" : "|") + *model->vocabulary().piece(token.id);
  return result;
}

}  // namespace

void tst_piece_files::readsVocabAndMerges() {
  QCOMPARE(encoded("#version: 0.2\na b\na ab\n", "aabab"), std::string("aab|ab"));
  QCOMPARE(encoded("a b\r\na ab\r\n\r\n", "aab"), std::string("aab"));
  QCOMPARE(encoded("a b", "aab"), std::string("a|ab"));
  QCOMPARE(encoded("", "ab"), std::string("a|b"));
}

void tst_piece_files::namesTheBadMergeLine_data() {
  QTest::addColumn<QByteArray>("line");
  QTest::addColumn<QString>("part");
  QTest::newRow("one piece") << QByteArray("ab") << "line 2";
  QTest::newRow("three pieces") << QByteArray("a b a") << "line 2";
  QTest::newRow("unknown piece") << QByteArray("a x") << "\"x\"";
  QTest::newRow("no result") << QByteArray("b a") << "\"ba\"";
  QTest::newRow("no text") << QByteArray("a \xFF") << "UTF-8";
}

void tst_piece_files::namesTheBadMergeLine() {
  QFETCH(QByteArray, line);
  QFETCH(QString, part);
  QVERIFY_ERROR(encoded("a b\n" + line.toStdString() + "\n", "a"), "merges.txt", part);
}

/// They would take gigabytes.
void tst_piece_files::refusesTooManyMerges() {
  const std::int64_t count = Vocabulary::kIdLimit + 1;
  QVERIFY_ERROR(encoded(std::string(std::size_t(count), '\n'), "a"), "merges.txt",
                "has 4194305 lines, expected at most 4194304");
}

void tst_piece_files::refusesAnInvalidVocab() {
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

EQUIPATCH_TEST(tst_piece_files)
#include "tst_piece_files.moc"

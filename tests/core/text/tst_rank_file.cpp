#include "core/text/rank_file.h"

#include <QByteArray>

#include "core/text/bpe_encoder.h"
#include "core/text/byte_level.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using Pieces = std::vector<std::string>;

class tst_rank_file : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void isToldByItsFirstLine_data();
  void isToldByItsFirstLine();
  void readsPiecesByRank();
  void refusesOtherLines_data();
  void refusesOtherLines();
  void joinsWhatIsAPieceTogether();
  void refusesWhatIsNoModel();
};

namespace {

std::string lineOf(const std::string& piece, std::size_t rank) {
  return QByteArray::fromStdString(piece).toBase64().toStdString() + " " +
         std::to_string(rank) + "\n";
}

/// The 256 bytes and then these.
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
  BpeEncoder encoder(model);
  std::string result;
  for (const PieceToken& token : encoder.encode(text))
    result += (result.empty() ? "" : "|") + *model.vocabulary.piece(token.id);
  return result;
}

}  // namespace

void tst_rank_file::isToldByItsFirstLine_data() {
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

void tst_rank_file::isToldByItsFirstLine() {
  QFETCH(QByteArray, bytes);
  QFETCH(bool, expected);
  QCOMPARE(looksLikeRanks(bytes.toStdString()), expected);
}

void tst_rank_file::readsPiecesByRank() {
  QCOMPARE(readRanks(lineOf("b", 2) + "\n" + lineOf(std::string("\0\xFF", 2), 0), "f"),
           (Pieces{std::string("\0\xFF", 2), "", "b"}));
  QVERIFY(readRanks("", "f").empty());
}

void tst_rank_file::refusesOtherLines_data() {
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

void tst_rank_file::refusesOtherLines() {
  QFETCH(QByteArray, line);
  QFETCH(QString, part);
  QVERIFY_ERROR(readRanks(lineOf("a", 0) + line.toStdString(), "f.model"), "f.model",
                "line 2", part);
}

void tst_rank_file::joinsWhatIsAPieceTogether() {
  const Bpe model = bpeOfRanks(withBytes({"bc", "ab", "abc", "\xE2\x82"}), "f");
  QCOMPARE(encodedWith(model, "abcab"), std::string("abc|ab"));
  QCOMPARE(encodedWith(model, "abc"), std::string("abc"));
  QCOMPARE(encodedWith(model, "\xE2\x82\xAC"), std::string("âĤ|¬"));
  // "aa" must come first, from the left; then "aaa" has the lower rank.
  const Bpe runs = bpeOfRanks(withBytes({"aaa", "aa"}), "f");
  QCOMPARE(encodedWith(runs, "aaaa"), std::string("aaa|a"));
}

void tst_rank_file::refusesWhatIsNoModel() {
  QVERIFY_ERROR(bpeOfRanks({"a", "b"}, "f.model"), "f.model", "2 bytes", "256");
  QVERIFY_ERROR(bpeOfRanks(withBytes({"ab", "ab"}), "f.model"), "f.model", "ab");
  QVERIFY_ERROR(bpeOfRanks(withBytes({std::string(100'000, 'a')}), "f.model"), "f.model",
                "longer");
}

EQUIPATCH_TEST(tst_rank_file)
#include "tst_rank_file.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/vocabulary/tokenizer_files.h"

#include <QDir>
#include <QTemporaryDir>
#include <fstream>
#include <sstream>

#include "core/text/tokenizer.h"
#include "tests/support/full_disk.h"
#include "tests/support/test_case.h"
#include "tests/trainer/word_folder.h"

using namespace equipatch;
using equipatch::test::wordLists;

namespace {

std::string readText(const std::filesystem::path& path) {
  std::ifstream stream(path);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

}  // namespace

class tst_tokenizer_files : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    writeTokenizer(m_path, m_generator, {.pieces = 600, .documents = 2000});
    m_tokenizer = Tokenizer::open(m_path);
  }

  void decodingRestoresTheEncodedText_data() {
    QTest::addColumn<QString>("text");
    QTest::newRow("words") << "Give a one-sentence weather forecast for Mars.";
    QTest::newRow("lines") << "one\n two\n\nthree ";
    QTest::newRow("spaces") << "  two  spaces   three";
    QTest::newRow("numbers") << "12 345, 6-7";
    QTest::newRow("unknown characters") << "Größe 雪 🌧 é";
    QTest::newRow("empty") << "";
  }
  void decodingRestoresTheEncodedText() {
    QFETCH(QString, text);
    const std::string written = text.toStdString();
    std::vector<TokenId> ids;
    for (const Token& token : m_tokenizer->encode(written, SpecialTokens::Add))
      ids.push_back(token.id);
    QCOMPARE(ids.front(), TokenId(kBosId));
    QCOMPARE(m_tokenizer->decode(ids, SpecialTokens::Omit), written);
  }

  void moreSpecialTokensFollowTheFirstFour() {
    const auto folder = m_path / "image";
    std::filesystem::create_directories(folder);
    const Texts texts = [](std::uint64_t number) {
      return "text " + std::to_string(number);
    };
    writeTokenizer(
        folder, texts,
        {.pieces = 300, .documents = 20, .specials = {{"image_token", "<image>"}}});
    const auto tokenizer = Tokenizer::open(folder);
    const auto tokens = tokenizer->encode("text<image>", SpecialTokens::Omit);
    QCOMPARE(tokens.back().id, TokenId(4));
    QVERIFY(
        readText(folder / "tokenizer_config.json").find(R"("image_token": "<image>")") !=
        std::string::npos);
  }

  void onlyLineEndsAreEncodedAsByteTokens() {
    for (std::uint64_t i = 5000; i < 5300; ++i) {
      const std::string text = m_generator.document(i).text;
      std::string joined;
      for (const Token& token : m_tokenizer->encode(text, SpecialTokens::Omit)) {
        joined += text.substr(token.span.begin, token.span.end - token.span.begin);
        if (token.piece != "<0x0A>")
          QVERIFY2(!token.piece.starts_with("<0x"), text.c_str());
      }
      QCOMPARE(joined, text);
    }
  }

  void noPieceSpansASpaceOrTwoDigits() {
    for (std::int64_t id = 4; id < m_tokenizer->size(); ++id) {
      const std::string piece = m_tokenizer->piece(TokenId(id));
      if (piece.starts_with("<0x")) continue;
      QVERIFY2(piece.rfind("▁") == 0 || piece.find("▁") == std::string::npos,
               piece.c_str());
      QVERIFY2(
          std::ranges::count_if(piece, [](char c) { return c >= '0' && c <= '9'; }) < 2,
          piece.c_str());
    }
  }

  void vocabularyHasAboutTheRequestedSize() {
    QVERIFY(m_tokenizer->size() <= 600);
    // Not exactly 600, because two merges may spell the same piece.
    QVERIFY(m_tokenizer->size() > 590);
    for (const auto& [id, name] :
         {std::pair(kPadId, "<pad>"), std::pair(kEosId, "<eos>"),
          std::pair(kBosId, "<bos>"), std::pair(kUnknownId, "<unk>")})
      QCOMPARE(m_tokenizer->piece(TokenId(id)), name);
  }

  void isReproducible() {
    const QTemporaryDir other;
    const std::filesystem::path path = other.path().toStdString();
    writeTokenizer(path, m_generator, {.pieces = 600, .documents = 2000});
    QVERIFY(readText(path / "tokenizer.json") == readText(m_path / "tokenizer.json"));
  }

  void impossibleRequestsAreRefused() {
    QVERIFY_ERROR(writeTokenizer(m_path, m_generator, {.pieces = 200, .documents = 10}),
                  "200", "no room");
    QVERIFY_ERROR(
        writeTokenizer(m_path / "absent", m_generator, {.pieces = 600, .documents = 10}),
        "absent/tokenizer.json", "there is no folder");
    QVERIFY_ERROR(writeText(m_path / "absent/card.md", "text"), "absent/card.md",
                  "there is no folder");
  }

  void aFailedWriteKeepsTheOldFile() {
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath("card.md").toStdString();
    writeText(path, "old");
    const QString sentence = test::errorOf([&] {
      const test::FullDisk disk(4096);
      writeText(path, std::string(100'000, 'x'));
    });
    QVERIFY2(sentence.contains("see ulimit -f"), qPrintable(sentence));
    QCOMPARE(readText(path), "old");
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 1);
  }

 private:
  QTemporaryDir m_folder;
  std::filesystem::path m_path = m_folder.path().toStdString();
  Generator m_generator{wordLists(), Split::Training, 1};
  std::shared_ptr<const Tokenizer> m_tokenizer;
};

EQUIPATCH_TEST(tst_tokenizer_files)
#include "tst_tokenizer_files.moc"

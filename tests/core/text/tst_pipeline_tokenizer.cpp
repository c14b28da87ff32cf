// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/pipeline_tokenizer.h"

#include <QDir>
#include <nlohmann/json.hpp>
#include <random>

#include "core/base/strings.h"
#include "tests/core/text/text_helpers.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;
using namespace equipatch::test;

class tst_pipeline_tokenizer : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void givesEveryByteToOneToken_data();
  void givesEveryByteToOneToken();
  void spansAreTheBytesOfThePieces();
  void decodingReturnsTheEncodedText_data();
  void decodingReturnsTheEncodedText();
};

namespace {

void appendUtf8(std::string& text, std::uint32_t c) {
  const auto put = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
  if (c < 0x80) return put(c);
  if (c < 0x800) {
    put(0xC0 | c >> 6);
  } else {
    if (c < 0x10000) {
      put(0xE0 | c >> 12);
    } else {
      put(0xF0 | c >> 18);
      put(0x80 | (c >> 12 & 0x3F));
    }
    put(0x80 | (c >> 6 & 0x3F));
  }
  put(0x80 | (c & 0x3F));
}

std::string randomUnicode(std::mt19937& random) {
  // Blocks whose characters normalizers compose, decompose, expand, reorder or remove,
  // and blocks of rare characters.
  static constexpr std::uint32_t kBlocks[][2] = {
      {0x20, 0x7E},      {0x01, 0x20},     {0xA0, 0x24F},    {0x300, 0x36F},
      {0x370, 0x5FF},    {0x900, 0x97F},   {0x1100, 0x11FF}, {0x1E00, 0x1FFF},
      {0x2000, 0x206F},  {0x2100, 0x218F}, {0x3040, 0x30FF}, {0xAC00, 0xD7A3},
      {0xF900, 0xFAFF},  {0xFB00, 0xFDFF}, {0xFF00, 0xFFEF}, {0x1F300, 0x1F6FF},
      {0x2F800, 0x2FA1D}};
  std::string text;
  for (std::size_t left = random() % 16; left > 0; --left) {
    const auto& [first, last] = kBlocks[random() % std::size(kBlocks)];
    for (std::size_t run = 1 + random() % 3; run > 0; --run)
      appendUtf8(text, first + static_cast<std::uint32_t>(random()) % (last - first + 1));
    if (random() % 3 == 0) text += random() % 2 ? " the " : "  ";
    if (random() % 16 == 0) text += random() % 2 ? "<s>" : "<|endoftext|>";
  }
  return text;
}

void addFolders() {
  QTest::addColumn<QString>("folder");
  for (const char* name : {"byte_level", "metaspace", "unigram", "unigram_words"})
    QTest::newRow(name) << QString::fromStdString((data("tokenizers") / name).string());
  for (const char* name : {"gemma_like", "gpt2", "gpt_neox", "llama2", "llama3", "qwen2"})
    if (const auto folder = extraData(std::filesystem::path("tokenizers") / name))
      QTest::newRow(name) << QString::fromStdString(folder->string());
}

}  // namespace

void tst_pipeline_tokenizer::givesEveryByteToOneToken_data() {
  addFolders();
}

void tst_pipeline_tokenizer::givesEveryByteToOneToken() {
  QFETCH(QString, folder);
  const auto tokenizer = Tokenizer::open(folder.toStdString());
  std::mt19937 random(17);
  for (int round = 0; round < 3000; ++round) {
    const std::string text = randomUnicode(random);
    for (const SpecialTokens specials : {SpecialTokens::Omit, SpecialTokens::Written}) {
      const auto tokens = tokenizer->encode(text, specials);
      // If the normalizer removes the whole text, there are no tokens.
      QVERIFY2(tokens.empty() || isPartition(tokens, text.size()), text.c_str());
      for (const Token& token : tokens) QCOMPARE(tokenizer->piece(token.id), token.piece);
    }
  }
}

/// These tokenizers are byte-level and do not normalize.
void tst_pipeline_tokenizer::spansAreTheBytesOfThePieces() {
  EXTRA_DATA_OR_SKIP(root, "tokenizers");
  std::mt19937 random(18);
  for (const char* name : {"gpt2", "llama3"}) {
    const auto tokenizer = Tokenizer::open(root / name);
    for (int round = 0; round < 2000; ++round) {
      const std::string text = randomUnicode(random);
      for (const Token& token : tokenizer->encode(text, SpecialTokens::Omit))
        QCOMPARE(text.substr(token.span.begin, token.span.end - token.span.begin),
                 tokenizer->surface(token.id));
    }
  }
}

void tst_pipeline_tokenizer::decodingReturnsTheEncodedText_data() {
  addFolders();
}

void tst_pipeline_tokenizer::decodingReturnsTheEncodedText() {
  QFETCH(QString, folder);
  const QString name = QDir(folder).dirName();
  if (!QStringList{"metaspace", "gemma_like", "gpt2", "llama2", "llama3"}.contains(name))
    QSKIP("normalizes or removes characters, so decoding need not return the text");
  const auto tokenizer = Tokenizer::open(folder.toStdString());
  std::mt19937 random(19);
  for (int round = 0; round < 3000; ++round) {
    std::string text = randomUnicode(random);
    // "▁" decodes to a space.
    if (text.find("▁") != std::string::npos) continue;
    // Llama 2's tokenizer also adds its prefix space after a special token in the text.
    if (text.find("<s>") != std::string::npos) continue;
    std::vector<TokenId> ids;
    for (const Token& token : tokenizer->encode(text, SpecialTokens::Omit))
      ids.push_back(token.id);
    QCOMPARE(QString::fromStdString(tokenizer->decode(ids, SpecialTokens::Add)),
             QString::fromStdString(text));
  }
}

EQUIPATCH_TEST(tst_pipeline_tokenizer)
#include "tst_pipeline_tokenizer.moc"

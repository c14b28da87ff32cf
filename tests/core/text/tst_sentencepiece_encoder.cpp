// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/sentencepiece/sentencepiece_encoder.h"

#include <random>

#include "core/text/sentencepiece/sentencepiece_file.h"
#include "core/text/token.h"
#include "tests/core/text/text_helpers.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;
using namespace equipatch::test;

using Piece = SentencePieceLibrary::Piece;

class tst_sentencepiece_encoder : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void cutsTextWhereNoPieceCanCross();
  void aCutSpaceBecomesTheDummyPrefix();
  void unsafeModelSettingsPreventCuts_data();
  void unsafeModelSettingsPreventCuts();
  void unknownNeighboursAreNotCutApart();
  void cutTextEncodesAsUncutText_data();
  void cutTextEncodesAsUncutText();
  void givesEveryByteToOnePiece();
  void refusesMoreWorkThanTheLimit();
};

namespace {

SentencePieceFile file() {
  SentencePieceFile result;
  result.algorithm = SentencePieceFile::Algorithm::BytePair;
  result.byteFallback = true;
  result.addsDummyPrefix = false;
  result.removesExtraSpaces = false;
  result.pieces = {"<unk>", "▁", "a", "b", "c", "ab", "▁a", "▁▁", "日"};
  return result;
}

/// The parts, joined by '|'. '_' before a part means Prefix::ForSpace, '-' means
/// Prefix::Superfluous.
std::string cut(const SentencePieceFile& model, std::string_view text) {
  using Prefix = SentencePieceCuts::Prefix;
  std::string result;
  for (const auto& [range, prefix] : SentencePieceCuts(model).partsOf(text)) {
    if (range.begin > 0) result += "|";
    if (prefix == Prefix::ForSpace) result += "_";
    if (prefix == Prefix::Superfluous) result += "-";
    result += text.substr(range.begin, range.end - range.begin);
  }
  return result;
}

}  // namespace

void tst_sentencepiece_encoder::cutsTextWhereNoPieceCanCross() {
  QCOMPARE(cut(file(), "abc ab  a日é"), std::string("ab|c| ab|  a|日|é"));
  QCOMPARE(cut(file(), ""), std::string());
  QCOMPARE(cut(file(), "ab"), std::string("ab"));
  QCOMPARE(cut(file(), " "), std::string(" "));
  // A "▁" in the text equals an escaped space.
  QCOMPARE(cut(file(), "c▁ a"), std::string("c|▁ a"));
}

void tst_sentencepiece_encoder::aCutSpaceBecomesTheDummyPrefix() {
  SentencePieceFile model = file();
  model.addsDummyPrefix = true;
  QCOMPARE(cut(model, "ab ab"), std::string("ab|_ab"));
  QCOMPARE(cut(model, "ab  a"), std::string("ab|_ a"));
  QCOMPARE(cut(model, "ab "), std::string("ab "));  // a part must not be empty
  QCOMPARE(cut(model, "c c"), std::string("c|_c"));
  // No piece contains "▁b", but "▁a" is a piece.
  QCOMPARE(cut(model, "cb"), std::string("c|-b"));
  QCOMPARE(cut(model, "ca"), std::string("ca"));
}

void tst_sentencepiece_encoder::unsafeModelSettingsPreventCuts_data() {
  QTest::addColumn<int>("which");
  for (int which = 0; which < 6; ++which) QTest::addRow("%d", which) << which;
}

void tst_sentencepiece_encoder::unsafeModelSettingsPreventCuts() {
  QFETCH(int, which);
  SentencePieceFile model = file();
  if (which == 0) model.algorithm = SentencePieceFile::Algorithm::Unigram;
  if (which == 1) model.replacesCharacters = true;
  if (which == 2) model.removesExtraSpaces = true;
  if (which == 3) model.escapesSpaces = false;
  if (which == 4) model.spaceIsSuffix = true;
  if (which == 5) std::erase(model.pieces, "▁");
  QCOMPARE(cut(model, "c c"), std::string("c c"));
}

/// Without byte tokens, adjacent unknown characters become one unknown token. Therefore
/// no cut precedes an unknown character, here "x" and "y".
void tst_sentencepiece_encoder::unknownNeighboursAreNotCutApart() {
  SentencePieceFile model = file();
  model.byteFallback = false;
  QCOMPARE(cut(model, "xya"), std::string("xy|a"));
  QCOMPARE(cut(model, "axy"), std::string("axy"));
}

namespace {

struct Model {
  std::unique_ptr<SentencePieceLibrary> library = openSentencePieceLibrary();
  SentencePieceFile file;

  explicit Model(const std::filesystem::path& path) {
    const std::string bytes = readBytes(path);
    file = SentencePieceFile::inspect(bytes, "f");
    if (!library->load(bytes).empty()) throw badInput("no model");
  }

  std::vector<int> cut(const std::string& text) const {
    const SentencePieceCuts cuts(file);
    SentencePieceEncoder encoder(*library, cuts, ampleLimits());
    return idsIn(encoder.encode(text));
  }
  std::vector<int> uncut(const std::string& text) const {
    std::vector<Piece> pieces;
    if (!library->encode(text, pieces).empty()) throw badInput("no text");
    return idsIn(pieces);
  }

 private:
  static std::vector<int> idsIn(const std::vector<Piece>& pieces) {
    std::vector<int> ids;
    for (const Piece& piece : pieces) ids.push_back(piece.id);
    return ids;
  }
};

std::string randomText(std::mt19937& random) {
  static const std::string parts[] = {
      "the",    " ", " ",  "  ",   "\n", "cat's", "é", "e\u0301",         "日本", "語",
      "🤗",   "▁", "12", "▁the", "a",  "b",     "c", "<start_of_turn>", "<s>",  "\t",
      "\u00A0", ".", ",",  "(",    "==", "我",    "x", "Привет",          " мир", "\r\n"};
  std::string text;
  for (std::size_t i = random() % 30; i > 0; --i)
    text += parts[random() % std::size(parts)];
  return text;
}

}  // namespace

void tst_sentencepiece_encoder::cutTextEncodesAsUncutText_data() {
  QTest::addColumn<QString>("path");
  QTest::newRow("small") << QString::fromStdString(
      data("tokenizers/sentencepiece/tokenizer.model").string());
  for (const char* name :
       {"tokenizers/llama2", "tokenizers/gemma_like", "models/stories260K"})
    if (const auto folder = extraData(name))
      QTest::newRow(name) << QString::fromStdString(
          (*folder / "tokenizer.model").string());
}

void tst_sentencepiece_encoder::cutTextEncodesAsUncutText() {
  QFETCH(QString, path);
  const Model model(path.toStdString());
  std::mt19937 random(29);
  for (int round = 0; round < 3000; ++round) {
    const std::string text = randomText(random);
    QVERIFY2(model.cut(text) == model.uncut(text), text.c_str());
  }
  std::string longer;
  while (longer.size() < 200'000) longer += randomText(random);
  QVERIFY(model.cut(longer) == model.uncut(longer));
  // Without cuts, the comparison above shows nothing.
  const SentencePieceCuts cuts(model.file);
  if (model.file.algorithm == SentencePieceFile::Algorithm::BytePair)
    QVERIFY(cuts.partsOf(longer).size() > 1000);
}

void tst_sentencepiece_encoder::givesEveryByteToOnePiece() {
  const Model model(data("tokenizers/sentencepiece/tokenizer.model"));
  const SentencePieceCuts cuts(model.file);
  std::mt19937 random(31);
  for (int round = 0; round < 1000; ++round) {
    const std::string text = randomText(random);
    SentencePieceEncoder encoder(*model.library, cuts, ampleLimits());
    std::size_t at = 0;
    for (const Piece& piece : encoder.encode(text)) {
      QVERIFY2(piece.begin == at && piece.end >= at, text.c_str());
      at = piece.end;
    }
    QVERIFY2(at == text.size(), text.c_str());
  }
  // Each byte of "🤗" has a token of its own.
  const std::string text = "a 🤗";
  SentencePieceEncoder encoder(*model.library, cuts, ampleLimits());
  const auto pieces = encoder.encode(text);
  for (std::size_t i = 0; i < 4; ++i) {
    const Piece& piece = pieces[pieces.size() - 4 + i];
    QCOMPARE(piece.begin, 2 + i);
    QCOMPARE(piece.end, 3 + i);
  }
}

/// The library cannot be stopped, so the work given to it is limited.
void tst_sentencepiece_encoder::refusesMoreWorkThanTheLimit() {
  Model model(data("tokenizers/sentencepiece/tokenizer.model"));
  model.file.algorithm = SentencePieceFile::Algorithm::Unigram;
  model.file.pieces.push_back(std::string(8000, 'a'));
  const SentencePieceCuts cuts(model.file);
  SentencePieceEncoder encoder(*model.library, cuts, ampleLimits());
  const std::string text(1'000'000, 'a');
  QVERIFY_ERROR(encoder.encode(text), "1000000 bytes", "pieces of up to 8000 bytes");
  std::stop_source stopped;
  stopped.request_stop();
  SentencePieceEncoder other(*model.library, cuts,
                             TextLimits::of(1, stopped.get_token()));
  const std::string shorter(100'000, 'a');
  QVERIFY_ERROR(other.encode(shorter), "stopped on request");
}

EQUIPATCH_TEST(tst_sentencepiece_encoder)
#include "tst_sentencepiece_encoder.moc"

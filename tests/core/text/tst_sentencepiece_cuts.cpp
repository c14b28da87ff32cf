#include "core/text/sentencepiece_cuts.h"

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_sentencepiece_cuts : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void cutsWhereNoPieceReachesAcross();
  void letsThePrefixStandForASpace();
  void cutsNothingWhereItCannotKnow_data();
  void cutsNothingWhereItCannotKnow();
  void keepsUnknownNeighboursTogether();
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

/// The parts, joined by '|'; '_' in front: the prefix stands for a space, '-': dropped.
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

void tst_sentencepiece_cuts::cutsWhereNoPieceReachesAcross() {
  QCOMPARE(cut(file(), "abc ab  a日é"), std::string("ab|c| ab|  a|日|é"));
  QCOMPARE(cut(file(), ""), std::string());
  QCOMPARE(cut(file(), "ab"), std::string("ab"));
  QCOMPARE(cut(file(), " "), std::string(" "));
  // A "▁" in the text is what a space becomes.
  QCOMPARE(cut(file(), "c▁ a"), std::string("c|▁ a"));
}

void tst_sentencepiece_cuts::letsThePrefixStandForASpace() {
  SentencePieceFile model = file();
  model.addsDummyPrefix = true;
  QCOMPARE(cut(model, "ab ab"), std::string("ab|_ab"));
  QCOMPARE(cut(model, "ab  a"), std::string("ab|_ a"));
  QCOMPARE(cut(model, "ab "), std::string("ab "));  // a part must not be empty
  QCOMPARE(cut(model, "c c"), std::string("c|_c"));
  // "▁" and "b" are beside each other in no piece, "▁" and "a" are in one.
  QCOMPARE(cut(model, "cb"), std::string("c|-b"));
  QCOMPARE(cut(model, "ca"), std::string("ca"));
}

void tst_sentencepiece_cuts::cutsNothingWhereItCannotKnow_data() {
  QTest::addColumn<int>("which");
  for (int which = 0; which < 6; ++which) QTest::addRow("%d", which) << which;
}

void tst_sentencepiece_cuts::cutsNothingWhereItCannotKnow() {
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

/// Without byte tokens they become one unknown token.
void tst_sentencepiece_cuts::keepsUnknownNeighboursTogether() {
  SentencePieceFile model = file();
  model.byteFallback = false;
  QCOMPARE(cut(model, "xya"), std::string("xy|a"));
  QCOMPARE(cut(model, "axy"), std::string("axy"));  // joined if "a" were unknown
}

EQUIPATCH_TEST(tst_sentencepiece_cuts)
#include "tst_sentencepiece_cuts.moc"

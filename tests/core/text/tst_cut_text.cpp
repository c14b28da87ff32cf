#include "core/text/cut_text.h"

#include "core/text/pattern.h"
#include "tests/core/text/text_helpers.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using test::cutsOf;

class tst_cut_text : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void startsAsOnePiece();
  void splits_data();
  void splits();
  void splitsEveryPieceByItself();
  void rewritesPieceByPiece();
  void refusesUnknownBehaviors();
};

void tst_cut_text::startsAsOnePiece() {
  QCOMPARE(cutsOf(CutText(AlignedText("a b"))), std::string("a b"));
  QVERIFY(CutText(AlignedText("")).pieces.empty());
}

/// The table of Hugging Face's documentation for "the-final--countdown", cut at "-".
void tst_cut_text::splits_data() {
  QTest::addColumn<QString>("behavior");
  QTest::addColumn<bool>("inverted");
  QTest::addColumn<QString>("pieces");
  QTest::newRow("removed") << "Removed" << false << "the|final|countdown";
  QTest::newRow("isolated") << "Isolated" << false << "the|-|final|-|-|countdown";
  QTest::newRow("previous") << "MergedWithPrevious" << false << "the-|final-|-|countdown";
  QTest::newRow("next") << "MergedWithNext" << false << "the|-final|-|-countdown";
  QTest::newRow("contiguous") << "Contiguous" << false << "the|-|final|--|countdown";
  QTest::newRow("inverted") << "Removed" << true << "-|-|-";
}

void tst_cut_text::splits() {
  QFETCH(QString, behavior);
  QFETCH(bool, inverted);
  QFETCH(QString, pieces);
  const auto pattern = Pattern::literal("-");
  CutText text(AlignedText("the-final--countdown"));
  text.split([&](std::string_view piece) { return pattern->matches(piece); },
             parseSplitBehavior(behavior.toStdString(), "f"),
             inverted ? MatchSense::Content : MatchSense::Delimiters);
  QCOMPARE(QString::fromStdString(cutsOf(text)), pieces);
}

void tst_cut_text::splitsEveryPieceByItself() {
  CutText text(AlignedText("ab-ab"));
  const auto at = [](const char* literal) {
    return [pattern = Pattern::literal(literal)](std::string_view piece) {
      return pattern->matches(piece);
    };
  };
  text.split(at("-"), SplitBehavior::Removed, MatchSense::Delimiters);
  text.split(at("b"), SplitBehavior::Isolated, MatchSense::Delimiters);
  QCOMPARE(cutsOf(text), std::string("a|b|a|b"));
  QCOMPARE(text.pieces[2], (ByteSpan{3, 4}));
}

void tst_cut_text::rewritesPieceByPiece() {
  const auto pattern = Pattern::literal("-");
  CutText text(AlignedText("ab-c"));
  text.split([&](std::string_view piece) { return pattern->matches(piece); },
             SplitBehavior::Removed, MatchSense::Delimiters);
  text.rewrite([](TextRewriter& rewriter, ByteSpan piece) {
    rewriter.replace(0, "<");
    rewriter.keep(piece.end - piece.begin);
  });
  QCOMPARE(cutsOf(text), std::string("<ab|<c"));
  QCOMPARE(text.text.text(), std::string("<ab<c"));
  // The removed '-' belongs to what follows.
  QCOMPARE(test::originsOf(text.text), (std::vector<std::size_t>{0, 0, 1, 2, 3, 4}));
}

void tst_cut_text::refusesUnknownBehaviors() {
  QVERIFY_ERROR(parseSplitBehavior("Odd", "f: pre_tokenizer"), "f: pre_tokenizer",
                "MergedWithNext", "\"Odd\"");
}

EQUIPATCH_TEST(tst_cut_text)
#include "tst_cut_text.moc"

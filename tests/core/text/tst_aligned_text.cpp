// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/aligned_text.h"

#include "core/text/pipeline/regex.h"
#include "tests/core/text/text_helpers.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using test::originsOf;
using test::preTokensOf;

using Origins = std::vector<std::size_t>;

class tst_aligned_text : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void newTextHasTheOriginsOfItsBytes();
  void keepsOriginsOfKeptBytes();
  void givesReplacedBytesToTheFirstCharacter();
  void givesInsertedTextNoBytes();
  void givesRemovedBytesToTheNextCharacter();
  void composesTwoRewritings();
  void slicesWithOrigins();
  void refusesToGrowWithoutBound();
  void textIsOnePreTokenBeforeASplit();
  void splitFollowsTheBehavior_data();
  void splitFollowsTheBehavior();
  void aSecondSplitAppliesToEachPreToken();
  void rewritesEachPreToken();
  void refusesUnknownBehaviors();
};

void tst_aligned_text::newTextHasTheOriginsOfItsBytes() {
  const AlignedText text("abc", 7);
  QCOMPARE(text.text(), std::string("abc"));
  QCOMPARE(originsOf(text), (Origins{7, 8, 9, 10}));
}

void tst_aligned_text::keepsOriginsOfKeptBytes() {
  const AlignedText text("abc", 2);
  TextRewriter rewriter(text);
  rewriter.keep(1);
  QCOMPARE(rewriter.position(), std::size_t{1});
  const AlignedText result = rewriter.finish();
  QCOMPARE(result.text(), std::string("abc"));
  QCOMPARE(originsOf(result), (Origins{2, 3, 4, 5}));
}

void tst_aligned_text::givesReplacedBytesToTheFirstCharacter() {
  const AlignedText text("a bc");
  TextRewriter rewriter(text);
  rewriter.keep(1);
  rewriter.replace(1, "▁");  // one byte becomes three
  rewriter.replace(1, "xyz");
  const AlignedText result = rewriter.finish();
  QCOMPARE(result.text(), std::string("a▁xyzc"));
  QCOMPARE(originsOf(result), (Origins{0, 1, 2, 2, 2, 3, 3, 3, 4}));
}

void tst_aligned_text::givesInsertedTextNoBytes() {
  const AlignedText text("ab");
  TextRewriter rewriter(text);
  rewriter.replace(0, "▁");
  const AlignedText result = rewriter.finish();
  QCOMPARE(originsOf(result), (Origins{0, 0, 0, 0, 1, 2}));
}

void tst_aligned_text::givesRemovedBytesToTheNextCharacter() {
  const AlignedText text("--ab--");
  TextRewriter rewriter(text);
  rewriter.replace(2, "");
  rewriter.keep(2);
  rewriter.replace(2, "");
  const AlignedText result = rewriter.finish();
  QCOMPARE(result.text(), std::string("ab"));
  QCOMPARE(originsOf(result), (Origins{0, 3, 6}));
}

void tst_aligned_text::composesTwoRewritings() {
  const AlignedText text("a b");
  TextRewriter first(text);
  first.keep(1);
  first.replace(1, "▁");
  const AlignedText once = first.finish();
  TextRewriter second(once);
  second.keep(1);
  second.replace(3, "  ");
  const AlignedText twice = second.finish();
  QCOMPARE(twice.text(), std::string("a  b"));
  QCOMPARE(originsOf(twice), (Origins{0, 1, 2, 2, 3}));
}

void tst_aligned_text::slicesWithOrigins() {
  QCOMPARE(originsOf(AlignedText("abcd", 10).slice({1, 3})), (Origins{11, 12, 13}));
  const AlignedText text("abcd");
  TextRewriter rewriter(text);
  rewriter.replace(2, "x");
  const AlignedText slice = rewriter.finish().slice({1, 3});
  QCOMPARE(slice.text(), std::string("cd"));
  QCOMPARE(originsOf(slice), (Origins{2, 3, 4}));
}

void tst_aligned_text::refusesToGrowWithoutBound() {
  const AlignedText text(std::string(AlignedText::kLargestSize / 64, 'a'));
  const std::string large(AlignedText::kLargestSize / 2 + 1, 'x');
  TextRewriter rewriter(text);
  rewriter.replace(1, large);
  QVERIFY_ERROR(rewriter.replace(1, large), "grows to more than");
}

void tst_aligned_text::textIsOnePreTokenBeforeASplit() {
  QCOMPARE(preTokensOf(PreTokenizedText(AlignedText("a b"))), std::string("a b"));
  QVERIFY(PreTokenizedText(AlignedText("")).preTokens.empty());
}

/// The table of Hugging Face's documentation for "the-final--countdown", split at "-".
void tst_aligned_text::splitFollowsTheBehavior_data() {
  QTest::addColumn<QString>("behavior");
  QTest::addColumn<bool>("inverted");
  QTest::addColumn<QString>("preTokens");
  QTest::newRow("removed") << "Removed" << false << "the|final|countdown";
  QTest::newRow("isolated") << "Isolated" << false << "the|-|final|-|-|countdown";
  QTest::newRow("previous") << "MergedWithPrevious" << false << "the-|final-|-|countdown";
  QTest::newRow("next") << "MergedWithNext" << false << "the|-final|-|-countdown";
  QTest::newRow("contiguous") << "Contiguous" << false << "the|-|final|--|countdown";
  QTest::newRow("inverted") << "Removed" << true << "-|-|-";
}

void tst_aligned_text::splitFollowsTheBehavior() {
  QFETCH(QString, behavior);
  QFETCH(bool, inverted);
  QFETCH(QString, preTokens);
  const auto pattern = Pattern::literal("-");
  PreTokenizedText text(AlignedText("the-final--countdown"));
  text.split([&](std::string_view preToken) { return pattern->matches(preToken); },
             parseSplitBehavior(behavior.toStdString(), "f"),
             inverted ? MatchSense::Content : MatchSense::Delimiters);
  QCOMPARE(QString::fromStdString(preTokensOf(text)), preTokens);
}

void tst_aligned_text::aSecondSplitAppliesToEachPreToken() {
  PreTokenizedText text(AlignedText("ab-ab"));
  const auto at = [](const char* literal) {
    return [pattern = Pattern::literal(literal)](std::string_view preToken) {
      return pattern->matches(preToken);
    };
  };
  text.split(at("-"), SplitBehavior::Removed, MatchSense::Delimiters);
  text.split(at("b"), SplitBehavior::Isolated, MatchSense::Delimiters);
  QCOMPARE(preTokensOf(text), std::string("a|b|a|b"));
  QCOMPARE(text.preTokens[2], (ByteSpan{3, 4}));
}

void tst_aligned_text::rewritesEachPreToken() {
  const auto pattern = Pattern::literal("-");
  PreTokenizedText text(AlignedText("ab-c"));
  text.split([&](std::string_view preToken) { return pattern->matches(preToken); },
             SplitBehavior::Removed, MatchSense::Delimiters);
  text.rewrite([](TextRewriter& rewriter, ByteSpan preToken) {
    rewriter.replace(0, "<");
    rewriter.keep(preToken.end - preToken.begin);
  });
  QCOMPARE(preTokensOf(text), std::string("<ab|<c"));
  QCOMPARE(text.text.text(), std::string("<ab<c"));
  // The removed '-' belongs to what follows.
  QCOMPARE(test::originsOf(text.text), (std::vector<std::size_t>{0, 0, 1, 2, 3, 4}));
}

void tst_aligned_text::refusesUnknownBehaviors() {
  QVERIFY_ERROR(parseSplitBehavior("Odd", "f: pre_tokenizer"), "f: pre_tokenizer",
                "MergedWithNext", "\"Odd\"");
}

EQUIPATCH_TEST(tst_aligned_text)
#include "tst_aligned_text.moc"

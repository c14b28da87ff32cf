// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/carried_marks.h"

#include <algorithm>

#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

/// Id 1 is the special token that begins a text.
std::vector<Token> tokens(const std::vector<int>& ids) {
  std::vector<Token> result;
  for (const int id : ids) result.push_back({TokenId(id), "t", {}, id == 1});
  return result;
}

std::string carried(const std::string& text, const std::vector<int>& from,
                    const std::vector<int>& to) {
  const auto set = parseAbsorbedSet(text, tokens(from));
  return absorbedText(carriedOver(set, tokens(from), tokens(to)),
                      std::int64_t(to.size()));
}

/// BOS and the words of a text, each with the space before it.
std::vector<Token> words(const std::string& text) {
  std::vector<Token> made{{TokenId(1), "<s>", {}, true}};
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin + 1), text.size());
    made.push_back({TokenId(9), text.substr(begin, end - begin), {begin, end}});
    begin = end;
  }
  return made;
}

std::string edited(const std::string& absorbed, const std::string& from,
                   const std::string& to) {
  const auto set = parseAbsorbedSet(absorbed, words(from));
  const TextMarks marks = textMarksOf(set, words(from), from);
  return absorbedText(absorbedSetOf(marks, words(to), to), std::ssize(words(to)));
}

}  // namespace

class tst_carried_marks : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void absorbedMarksFollowEditedTokens();
  void absorbedMarksFollowTheEditedText();
  void absorbedSetsAreRestoredFromTextMarks();
  void anImageIsKeptAsAWholeOrNotAtAll();
};

void tst_carried_marks::absorbedMarksFollowEditedTokens() {
  // Of the tokens 1 5 6 7 8, keeps 6 and 7.
  const std::string absorbed = "0-1,4,generated";
  QCOMPARE(carried(absorbed, {1, 5, 6, 7, 8}, {1, 5, 6, 7, 8}), absorbed);
  QCOMPARE(carried(absorbed, {1, 5, 6, 7, 8}, {1, 5, 6, 7, 8, 9, 9}),
           std::string("0-1,4-6,generated"));
  QCOMPARE(carried(absorbed, {1, 5, 6, 7, 8}, {1, 3, 3, 5, 6, 7, 8}),
           std::string("0-3,6,generated"));
  QCOMPARE(carried(absorbed, {1, 5, 6, 7, 8}, {1, 5, 6, 4, 7, 8}),  // between 6 and 7
           std::string("0-1,5,generated"));
  QCOMPARE(carried(absorbed, {1, 5, 6, 7, 8}, {1, 5, 8}), std::string("all"));
  QCOMPARE(carried(absorbed, {1, 5, 6, 7, 8}, {}), std::string("all"));
  QCOMPARE(carried("0-1", {1, 5, 6, 6}, {1, 5, 6, 6, 6}), std::string("0-1"));
  // Tokens that replace absorbed tokens are absorbed.
  QCOMPARE(carried("2-3", {1, 5, 6, 7, 8}, {1, 5, 9, 9, 9, 8}), std::string("2-4"));
  QCOMPARE(carried("1-3", {1, 5, 6, 7}, {1, 9, 9}), std::string("1-2"));
  QCOMPARE(carried("2", {1, 5, 6, 7}, {1, 5, 3, 3, 7}), std::string("2-3"));
  // If no absorbed token is left, everything is absorbed.
  QCOMPARE(carried("2", {1, 5, 6, 7}, {1, 5, 7}), std::string("all"));
  // Everything is absorbed if new tokens replace both kept and absorbed tokens, and the
  // common tokens are all kept or all absorbed.
  QCOMPARE(carried("2-3", {1, 5, 6, 7, 8}, {1, 9, 9, 9}), std::string("all"));
  QCOMPARE(carried("0-1,3", {1, 5, 6, 7}, {9, 9, 9}), std::string("all"));
  QCOMPARE(carried("0,3,generated", {1, 5, 6, 7}, {1, 9, 9, 9}), std::string("all"));
  // New tokens at the beginning have no left neighbour; generated tokens stand for it.
  QCOMPARE(carried("2", {5, 6, 7}, {8, 5, 6, 7}), std::string("3"));
  QCOMPARE(carried("2,generated", {5, 6, 7}, {8, 5, 6, 7}), std::string("0,3,generated"));
}

void tst_carried_marks::absorbedMarksFollowTheEditedText() {
  const std::string text = "Tom and his dog ran";
  QCOMPARE(edited("2-3", text, text), std::string("2-3"));
  QCOMPARE(edited("2-3", text, "Please answer. Tom and his dog ran"), std::string("4-5"));
  QCOMPARE(edited("2-3", text, "Tom and his old dog ran home"), std::string("2-3"));
  QCOMPARE(edited("2-3", text, "Tom and all his dog ran"), std::string("2-4"));
  QCOMPARE(edited("keep-bos", text, "Her dog ran"), std::string("1-3,generated"));
  QCOMPARE(edited("3", text, "Tom and hissing dog ran"), std::string("3"));
  QCOMPARE(edited("2-3", text, "A cat"), std::string("all"));
}

void tst_carried_marks::absorbedSetsAreRestoredFromTextMarks() {
  const std::string text = "Tom and his dog";
  const std::vector<Token> tokens = words(text);
  for (int kept = 0; kept < 64; ++kept) {
    std::vector<bool> flags;
    for (std::size_t i = 0; i < tokens.size(); ++i) flags.push_back((kept >> i) & 1);
    const AbsorbedSet set{.keptPrompt = rangesOf(flags),
                          .keepsGenerated = ((kept >> 5) & 1) == 1};
    QVERIFY(absorbedSetOf(textMarksOf(set, tokens, text), tokens, text) == set);
  }
  // Kept bytes beyond the end of the text are ignored.
  const TextMarks beyond{.text = "Tom", .kept = {{0, 900}}};
  QVERIFY(absorbedSetOf(beyond, words("Tom"), "Tom").keptPrompt ==
          std::vector<PositionRange>({{1, 1}}));
}

void tst_carried_marks::anImageIsKeptAsAWholeOrNotAtAll() {
  const AbsorbedSet partly{.keptPrompt = {{0, 2}}, .keepsGenerated = true};
  QVERIFY(withWholeImages(partly, 5, {{2, 3}}).keptPrompt ==
          std::vector<PositionRange>({{0, 1}}));
  QVERIFY(withWholeImages(partly, 5, {{1, 2}}) == partly);
}

EQUIPATCH_TEST(tst_carried_marks)
#include "tst_carried_marks.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompt/absorbed_marks.h"

#include "tests/support/test_case.h"
#include "ui/prompt/prompt_marking.h"

using namespace equipatch;

namespace {

/// Tokens with these ids; id 1 is the special token that begins a text.
std::vector<Token> tokens(const std::vector<int>& ids) {
  std::vector<Token> result;
  for (const int id : ids) result.push_back({TokenId(id), "t", {}, id == 1});
  return result;
}

}  // namespace

class tst_absorbed_marks : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void marksAreSpeltAsTheCommandLineTakesThem();
  void absorbedTextsAreReturnedAsSet();
  void marksStayWithTheirWordsInOtherTokens();
  void marksWaitForTheTokensOfAnEditedText();
  void lostMarksReturnWithTheirText();
  void lostMarksDoNotReturnOverLaterChanges();
  void presetsAreAppliedAnewToChangedTokens();
  void marksSurviveWhileThereAreNoTokens();
  void marksThatNoLongerFitAreReported();
  void marksSetWithoutTokensApplyToLaterTokens();
  void invalidTextsChangeNothing();
  void undoesAndRedoesMarks();
  void undoStepsShareOneCopyOfTheTokens();
  void marksMadeBeforeAnEditAreUndone();
  void undoWorksWhileThereAreNoTokens();
  void textTypedAfterAMarkIsUndoneFirst();
  void typingAfterAnUndoPreventsRedoingMarks();
  void anImageIsMarkedAsAWhole();
};

void tst_absorbed_marks::marksAreSpeltAsTheCommandLineTakesThem() {
  AbsorbedMarks marks;
  marks.setTokens(tokens({1, 5, 6, 7, 8}));
  QCOMPARE(marks.text(), std::string("all"));
  marks.keep(1, 2);
  QCOMPARE(marks.text(), std::string("0,3-4,generated"));
  QCOMPARE(marks.keptCount(), 2);
  QVERIFY(marks.keeps(1) && marks.keeps(2) && !marks.keeps(3));
  marks.absorb(1, 1);
  QCOMPARE(marks.text(), std::string("0-1,3-4,generated"));
  marks.absorb(0, 4);
  QCOMPARE(marks.text(), std::string("all"));
  marks.keep(0, 0);
  QCOMPARE(marks.text(), std::string("keep-bos"));
  marks.keep(3, 900);  // limited to the existing tokens
  QCOMPARE(marks.keptCount(), 3);
}

void tst_absorbed_marks::absorbedTextsAreReturnedAsSet() {
  AbsorbedMarks marks;
  marks.setTokens(tokens({1, 5, 6, 7, 8}));
  for (const char* text : {"prompt", "none", "keep-bos", "0-2", "1,3,generated", "all"}) {
    marks.setText(text);
    QCOMPARE(marks.text(), std::string(text));
    QVERIFY(marks.set() == parseAbsorbedSet(text, marks.tokens()));
  }
}

void tst_absorbed_marks::presetsAreAppliedAnewToChangedTokens() {
  AbsorbedMarks marks;
  marks.setTokens(tokens({1}));
  marks.setText("keep-bos");
  marks.setTokens(tokens({1, 5, 6}));
  QCOMPARE(marks.text(), std::string("keep-bos"));
  QCOMPARE(marks.keptCount(), 1);
  marks.setText("none");
  marks.setTokens(tokens({1, 8, 9, 9, 9}));
  QCOMPARE(marks.keptCount(), 5);
  marks.setText("keep-bos");
  marks.setTokens(tokens({8, 9}));  // begins with no special token
  QCOMPARE(marks.text(), std::string("all"));
}

/// Another model splits the same text into other tokens.
void tst_absorbed_marks::marksStayWithTheirWordsInOtherTokens() {
  const auto spans = [](const std::vector<std::size_t>& ends, int firstId) {
    std::vector<Token> made;
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
      made.push_back({TokenId(firstId++), "t", {begin, end}, begin == end});
      begin = end;
    }
    return made;
  };
  // BOS, "Tom", " and", " his", " dog", "."
  const auto words = spans({0, 3, 7, 11, 15, 16}, 1);
  // BOS, "T", "om", " and his", " d", "og."
  const auto pieces = spans({0, 1, 3, 11, 13, 16}, 90);
  AbsorbedMarks marks;
  const std::string text = "Tom and his dog.";
  marks.setTokens(words, {}, text);
  marks.setText("1-3");
  QCOMPARE(marks.setTokens(pieces, {}, text), std::string());
  QCOMPARE(marks.text(), std::string("1-3"));
  QCOMPARE(marks.setTokens({}, {}, {}), std::string());  // while the model loads
  QCOMPARE(marks.setTokens(words, {}, text), std::string());
  QCOMPARE(marks.text(), std::string("1-3"));
  // A token is absorbed as a whole if a part of its text was absorbed.
  marks.setText("5,generated");
  marks.setTokens(pieces, {}, text);
  QCOMPARE(marks.text(), std::string("5,generated"));
  marks.setText("3,generated");
  marks.setTokens(words, {}, text);
  QCOMPARE(marks.text(), std::string("2-3,generated"));
  // "generated" keeps every word.
  marks.setText("generated");
  QCOMPARE(marks.setTokens(pieces, {}, text), std::string());
  QCOMPARE(marks.text(), std::string("generated"));
  marks.setTokens(words, {}, text);
  // A change to other token boundaries and back does not change the marks.
  marks.setText("4,generated");
  marks.setTokens(pieces, {}, text);
  QCOMPARE(marks.text(), std::string("4-5,generated"));
  marks.setTokens(words, {}, text);
  QCOMPARE(marks.text(), std::string("4,generated"));
  marks.setTokens(pieces, {}, text);
  // Another text loses the marks, even if its tokens have the same ids and spans.
  QCOMPARE(marks.setTokens(words, {}, "Who was the dog?"), std::string("4-5,generated"));
}

/// While no model is loaded, an edited text has no tokens that could be marked.
void tst_absorbed_marks::marksWaitForTheTokensOfAnEditedText() {
  const auto words = [](const std::vector<std::size_t>& ends) {
    std::vector<Token> made{{TokenId(1), "t", {}, true}};
    for (const std::size_t end : ends)
      made.push_back({TokenId(int(end)), "t", {made.back().span.end, end}});
    return made;
  };
  AbsorbedMarks before;
  before.setTokens(words({3, 7, 11, 15}), {}, "Tom and his dog");
  before.setText("2-3");
  AbsorbedMarks marks;
  marks.setText(before.text());
  marks.setTextMarks(before.textMarks());
  QCOMPARE(marks.text(), std::string("2-3"));
  QCOMPARE(marks.setTokens(words({5, 9, 13, 17, 21}), {}, "Here, Tom and his dog"),
           std::string());
  QCOMPARE(marks.text(), std::string("3-4"));
  // A preset applies to every prompt, so it does not mark words of this text.
  before.setText("keep-bos");
  QVERIFY(!before.textMarks());
}

/// Undo can bring back an earlier text.
void tst_absorbed_marks::lostMarksReturnWithTheirText() {
  AbsorbedMarks marks;
  marks.setTokens(tokens({1, 5, 6, 7, 8}));
  marks.setText("2-3");
  QCOMPARE(marks.setTokens(tokens({1, 9})), std::string("2-3"));
  QCOMPARE(marks.setTokens(tokens({1, 9, 9})), std::string());
  QCOMPARE(marks.text(), std::string("all"));
  QCOMPARE(marks.setTokens(tokens({1, 5, 6, 7, 8})), std::string());
  QCOMPARE(marks.text(), std::string("2-3"));
  marks.setTokens(tokens({1, 9}));
  marks.keep(0, 0);  // these marks replace the lost ones
  marks.setTokens(tokens({1, 5, 6, 7, 8}));
  QCOMPARE(marks.text(), std::string("keep-bos"));
}

void tst_absorbed_marks::lostMarksDoNotReturnOverLaterChanges() {
  AbsorbedMarks undone;
  undone.setTokens(tokens({1, 5, 6, 7, 8}));
  undone.setText("2-3");
  undone.setTokens(tokens({1, 9}));
  undone.setTokens(tokens({1, 5, 6, 7, 8}));
  undone.undo();
  QCOMPARE(undone.text(), std::string("all"));
  undone.setTokens(tokens({1, 5, 6, 7, 8}));
  QCOMPARE(undone.text(), std::string("all"));
  AbsorbedMarks replaced;
  replaced.setTokens(tokens({1, 5, 6, 7, 8}));
  replaced.setText("2-3");
  replaced.setTokens(tokens({1, 9}));
  replaced.setTokens({});
  replaced.setText("keep-bos");
  replaced.setTokens(tokens({1, 5, 6, 7, 8}));
  QCOMPARE(replaced.text(), std::string("keep-bos"));
}

/// There are no tokens while a tokenizer is replaced or the run's model is not loaded.
void tst_absorbed_marks::marksSurviveWhileThereAreNoTokens() {
  AbsorbedMarks marks;
  marks.setTokens(tokens({1, 5, 6, 7}));
  marks.setText("0,3,generated");
  marks.setTokens({});
  marks.setTokens(tokens({1, 5, 6, 7, 8, 9}));  // the text grew meanwhile
  QCOMPARE(marks.text(), std::string("0,3-5,generated"));
  marks.setTokens({});
  marks.setText("0-1");
  marks.setTokens(tokens({1, 5, 6}));
  QCOMPARE(marks.text(), std::string("0-1"));
}

void tst_absorbed_marks::marksThatNoLongerFitAreReported() {
  AbsorbedMarks marks;
  QCOMPARE(marks.setTokens(tokens({1, 5, 6, 7})), std::string());
  marks.setText("2,generated");
  QCOMPARE(marks.setTokens(tokens({1, 5, 6, 6, 7})), std::string());  // the prompt grew
  QCOMPARE(marks.setTokens({}), std::string());
  QCOMPARE(marks.setTokens(tokens({8})), std::string("2-3,generated"));
  QCOMPARE(marks.text(), std::string("all"));
  QCOMPARE(marks.setTokens(tokens({1, 5, 6})), std::string());
  marks.setText("keep-bos");
  QCOMPARE(marks.setTokens(tokens({5, 6})), std::string("keep-bos"));
  AbsorbedMarks wanted;
  wanted.setText("0,9");
  QCOMPARE(wanted.setTokens(tokens({1, 5})), std::string("0,9"));
}

void tst_absorbed_marks::marksSetWithoutTokensApplyToLaterTokens() {
  AbsorbedMarks marks;
  marks.setText("0,2");
  QCOMPARE(marks.text(), std::string("0,2"));
  marks.setTokens(tokens({1, 5, 6}));
  QCOMPARE(marks.text(), std::string("0,2"));
  QVERIFY(marks.keeps(1));
  marks.setTokens({});
  QCOMPARE(marks.text(), std::string("0,2"));
  QVERIFY(!marks.textStepsAtUndo());
}

void tst_absorbed_marks::invalidTextsChangeNothing() {
  AbsorbedMarks marks;
  marks.setTokens(tokens({4, 5}));
  marks.keep(1, 1);
  QVERIFY_ERROR(marks.setText("0-7"), "position 7 is not in the prompt");
  QVERIFY_ERROR(marks.setText("some"), "is not a part of the context");
  QVERIFY_ERROR(marks.setText("keep-bos"), "keep-bos needs a prompt");
  QCOMPARE(marks.text(), std::string("0,generated"));
}

void tst_absorbed_marks::undoesAndRedoesMarks() {
  AbsorbedMarks marks;
  marks.setTokens(tokens({1, 5, 6}));
  marks.undo();  // nothing to undo
  marks.setTextSteps(3);
  marks.keep(1, 1);
  marks.setTextSteps(4);
  marks.keep(2, 2);
  QCOMPARE(marks.textStepsAtUndo(), std::optional(4));
  marks.undo();
  QCOMPARE(marks.text(), std::string("0,2,generated"));
  QCOMPARE(marks.textStepsAtUndo(), std::optional(3));
  QCOMPARE(marks.textStepsAtRedo(), std::optional(4));
  marks.undo();
  QCOMPARE(marks.text(), std::string("all"));
  marks.redo();
  marks.redo();
  QCOMPARE(marks.keptCount(), 2);
  marks.undo();
  marks.setText("prompt");
  QVERIFY(!marks.textStepsAtRedo());  // a new change discarded the redo
  marks.keep({{0, 0}, {2, 2}});
  QCOMPARE(marks.text(), std::string("1"));
  marks.undo();  // undoes both ranges
  QCOMPARE(marks.text(), std::string("prompt"));
}

/// A prompt may have a hundred thousand tokens.
void tst_absorbed_marks::undoStepsShareOneCopyOfTheTokens() {
  AbsorbedMarks marks;
  marks.setTokens(tokens({1, 5, 6}));
  const auto shared = marks.sharedTokens();
  const auto holders = shared.use_count();
  for (int i = 0; i < 3; ++i) marks.keep(i, i);
  QCOMPARE(shared.use_count(), holders + 3);
  marks.undo();
  QCOMPARE(shared.use_count(), holders + 3);
  marks.setTokens(tokens({1, 5, 6, 7}));
  marks.undo();
  QVERIFY(marks.keeps(0) && !marks.keeps(1));
}

void tst_absorbed_marks::marksMadeBeforeAnEditAreUndone() {
  AbsorbedMarks marks;
  marks.setTokens(tokens({1, 5, 6}));
  marks.keep(1, 1);
  marks.keep(2, 2);
  marks.setTokens(tokens({1, 5, 6, 7}));
  marks.undo();
  QCOMPARE(marks.text(), std::string("0,2-3,generated"));
}

void tst_absorbed_marks::undoWorksWhileThereAreNoTokens() {
  std::vector<Token> words{{TokenId(1), "t", {}, true}};
  for (std::size_t end = 3; end <= 15; end += 4)
    words.push_back({TokenId(int(end)), "t", {words.back().span.end, end}});
  const std::string text = "Tom and his dog";
  AbsorbedMarks marks;
  marks.setTokens(words, {}, text);
  marks.keep(1, 1);
  marks.keep(2, 3);
  marks.setTokens({});
  marks.undo();
  QCOMPARE(marks.text(), std::string("0,2-4,generated"));
  marks.setTokens(words, {}, text);
  QCOMPARE(marks.text(), std::string("0,2-4,generated"));
  marks.setTokens({});
  marks.redo();
  marks.setTokens(words, {}, text);
  QCOMPARE(marks.text(), std::string("0,4,generated"));
  // Setting an absorbed part while there are no tokens cannot be undone.
  marks.setTokens({});
  marks.setText("2-3");
  QVERIFY(!marks.textStepsAtUndo());
  marks.undo();
  marks.setTokens(words, {}, text);
  QCOMPARE(marks.text(), std::string("2-3"));
}

void tst_absorbed_marks::anImageIsMarkedAsAWhole() {
  AbsorbedMarks marks;
  marks.setTokens(tokens({1, 5, 9, 9, 9, 6}), {{2, 4}});
  marks.keep(3, 3);
  QVERIFY(!marks.keeps(1) && marks.keeps(2) && marks.keeps(4) && !marks.keeps(5));
  marks.undo();
  QCOMPARE(marks.keptCount(), 0);
  marks.setText("text");
  QVERIFY(marks.keeps(2) && marks.keeps(4) && !marks.keeps(1) && !marks.keeps(5));
  marks.setText("images");
  QVERIFY(!marks.keeps(2) && marks.keeps(1) && marks.keeps(5));
  // The preset "images" also applies to other tokens.
  marks.setTokens({});
  marks.setTokens(tokens({1, 9, 9, 9, 6, 7}), {{1, 3}});
  QCOMPARE(marks.text(), std::string("images"));
  QVERIFY(marks.keeps(0) && !marks.keeps(2) && marks.keeps(5));
  // Only token 3 of the second image would stay kept, so the whole image is absorbed.
  marks.setText("text");
  marks.keep(0, 0);
  marks.setTokens(tokens({1, 9, 9, 9, 9, 9, 9, 6, 7}), {{1, 2}, {3, 6}});
  QVERIFY(marks.keeps(0) && marks.keeps(1) && marks.keeps(2));
  for (int token = 3; token <= 6; ++token) QVERIFY(!marks.keeps(token));
  QVERIFY_ERROR(marks.setText("image:3"), "image");
}

/// Text typed after a mark continues the earlier text, but is a separate undo step.
void tst_absorbed_marks::textTypedAfterAMarkIsUndoneFirst() {
  const Theme theme;
  PictureShelf shelf({});
  QWidget editor;
  PromptView edit(theme, shelf);
  PromptMarking marking(theme, shelf, edit, editor);
  edit.insertPlainText(QStringLiteral("one two"));
  marking.showTokens(tokens({1, 5, 6}), {}, {}, {});
  QVERIFY(marking.setAbsorbedText("0-1").isEmpty());
  edit.insertPlainText(QStringLiteral(" three"));
  marking.undo();
  QCOMPARE(edit.text(), QStringLiteral("one two"));
  QCOMPARE(marking.absorbedText(), std::string("0-1"));
  marking.undo();
  QCOMPARE(edit.text(), QStringLiteral("one two"));
  QCOMPARE(marking.absorbedText(), std::string("all"));
}

void tst_absorbed_marks::typingAfterAnUndoPreventsRedoingMarks() {
  const Theme theme;
  PictureShelf shelf({});
  QWidget editor;
  PromptView edit(theme, shelf);
  PromptMarking marking(theme, shelf, edit, editor);
  edit.insertPlainText(QStringLiteral("one"));
  marking.showTokens(tokens({1, 5}), {}, {}, {});
  QVERIFY(marking.setAbsorbedText("0").isEmpty());
  edit.insertPlainText(QStringLiteral(" two"));
  QVERIFY(marking.setAbsorbedText("1").isEmpty());
  for (int i = 0; i < 3; ++i) marking.undo();
  QCOMPARE(edit.text(), QStringLiteral("one"));
  QCOMPARE(marking.absorbedText(), std::string("all"));
  for (int i = 0; i < 3; ++i) marking.redo();
  QCOMPARE(edit.text(), QStringLiteral("one two"));
  QCOMPARE(marking.absorbedText(), std::string("1"));
  for (int i = 0; i < 3; ++i) marking.undo();
  edit.insertPlainText(QStringLiteral(" three"));  // must not join the undo step of "one"
  for (int i = 0; i < 3; ++i) marking.redo();
  QCOMPARE(edit.text(), QStringLiteral("one three"));
  QCOMPARE(marking.absorbedText(), std::string("all"));
  marking.undo();
  QCOMPARE(edit.text(), QStringLiteral("one"));
}

EQUIPATCH_TEST(tst_absorbed_marks)
#include "tst_absorbed_marks.moc"

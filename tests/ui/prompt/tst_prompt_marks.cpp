// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QRadioButton>

#include "tests/support/test_case.h"
#include "tests/support/test_data.h"
#include "tests/ui/support/loaded_tokenizers.h"
#include "tests/ui/support/synthetic_engine.h"
#include "ui/prompt/prompt_editor.h"

using namespace equipatch;

namespace {

/// The request of a recorded run, with the tokens of WordTokenizer.
RunRequest runOf(const std::string& text, const std::string& absorb) {
  return requestFor(
      preparePrompt({.text = text, .absorb = absorb}, test::WordTokenizer(), nullptr),
      {});
}

/// A run of a rendered chat, whose text contains a special token.
RunRequest runOfChat() {
  RunRequest run{.promptText = "<u> hi", .specials = SpecialTokens::Written};
  run.prompt = {{TokenId(1), "<u>", {0, 3}, true}, {TokenId(3), " hi", {3, 6}}};
  return run;
}

/// The prompt as a run prepares it after loading `model`.
PreparedPrompt preparedFrom(const PromptSource& source, const LoadedModel& model) {
  if (source.form == PromptForm::Ids) return prepareIds(source, knownTokensOf(model));
  return preparePrompt(source, *model.tokenizer, nullptr, {}, visionOf(model));
}

}  // namespace

/// The editor's absorbed part, recorded runs and prompts of ids.
class tst_prompt_marks : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void absorbedWordsCarryOverToAnotherModel();
  void aRunIsShownAsIdsIfItsTextWouldGiveOtherTokens();
  void aRunIsRepeatedTokenForToken_data();
  void aRunIsRepeatedTokenForToken();
  void changedIdsBecomeATextWithTheirImages();
  void showingARunOfTheSameChatKeepsTheChat();
  void marksFollowAnEditBeforeThereIsAModel();
  void theAbsorbedBoxListsTheSentences();
  void restoredAbsorbedPartsKeepTheirPositions();
  void eachOfTwoEqualImagesOpensWithItsOwnTokens();
  void marksStayWithTheirImage();
  void promptsOfIdsListNoSentences();
  void aSplitCharacterIsMarkedAsAWhole();
  void textSelectedBeforeTokensExistCanBeKept();
  void aLongAbsorbedTextIsNotCut();
};

/// A run's absorbed positions count the run's tokens, not the loaded model's.
void tst_prompt_marks::absorbedWordsCarryOverToAnotherModel() {
  const Theme theme;
  PictureShelf shelf({});
  PromptEditor editor(theme, shelf);
  editor.setModel(test::loadedOfBytes());
  editor.showRun(runOf("Tom and his dog", "2-3"));  // "and his "
  QCOMPARE(editor.tokenCount(), 15);
  QCOMPARE(editor.absorbed(), std::string("4-11"));
  // A run may load another model, whose tokenizer then prepares the prompt.
  const PreparedPrompt prompt =
      preparePrompt(editor.source(), test::WordTokenizer(), nullptr);
  QCOMPARE(absorbedText(prompt.absorbed, 5), std::string("2-3"));
  editor.setModel(test::loadedOfWords());
  editor.setText(QStringLiteral("other"));
  editor.setText(QStringLiteral("Tom and his dog"));
  editor.prepareNow();
  QCOMPARE(editor.absorbed(), std::string("2-3"));
}

void tst_prompt_marks::aRunIsShownAsIdsIfItsTextWouldGiveOtherTokens() {
  const Theme theme;
  PictureShelf shelf({});
  PromptEditor editor(theme, shelf);
  editor.setModel(test::loadedOfWords());
  // QTextEdit cannot hold carriage returns.
  editor.showRun(runOf("Tom \r\nand his dog", "2-3"));
  QCOMPARE(editor.form(), PromptForm::Ids);
  QCOMPARE(editor.text(), QStringLiteral("1, 4, 6, 4, 3"));
  QCOMPARE(editor.absorbed(), std::string("2-3"));
  RunRequest withoutStart = runOf("Tom and his dog", "2-3");  // compare --no-bos
  withoutStart.prompt.erase(withoutStart.prompt.begin());
  withoutStart.absorbed = parseAbsorbedSet("1-2", withoutStart.prompt);
  editor.showRun(withoutStart);
  QCOMPARE(editor.form(), PromptForm::Ids);
  QCOMPARE(editor.text(), QStringLiteral("4, 4, 4, 3"));
  QCOMPARE(editor.absorbed(), std::string("1-2"));
  editor.showRun(runOf("Tom \nand his dog", "2-3"));
  QCOMPARE(editor.form(), PromptForm::Text);
  QCOMPARE(editor.text(), QStringLiteral("Tom \nand his dog"));
  QCOMPARE(editor.absorbed(), std::string("2-3"));
}

void tst_prompt_marks::aRunIsRepeatedTokenForToken_data() {
  QTest::addColumn<RunRequest>("run");
  QTest::addColumn<std::shared_ptr<const LoadedModel>>("model");
  const RunRequest plain = runOf("Tom and his dog", "1,3-4");
  QTest::newRow("text") << plain << test::loadedOfWords();
  const PreparedPrompt omitted = preparePrompt(
      {.text = "Tom and his dog", .specials = SpecialTokens::Omit, .absorb = "0,2-3"},
      test::WordTokenizer(), nullptr);
  QTest::newRow("without special tokens")
      << requestFor(omitted, {}) << test::loadedOfWords();
  QTest::newRow("chat") << runOfChat() << test::loadedOfWords();
  // The branch has the tokens "dog" and "ma"; the tokenizer would make the token "dogma".
  QTest::newRow("branch") << branchedRequest(plain, {}, {TokenId(2), "ma", 0.0, 0.0})
                          << test::loadedOfWords();
  const auto images = test::loadedOfBytesAndImages();
  const PreparedPrompt seen =
      preparePrompt({.text = "aBb",
                     .specials = SpecialTokens::Omit,
                     .absorb = "0-5,9",
                     .images = {readPicture(test::data("pictures/photo.jpg"))}},
                    *images->tokenizer, nullptr, {}, visionOf(*images));
  QTest::newRow("image") << requestFor(seen, {}) << images;
}

/// The model is loaded before the prompt is shown, or only for the repeated run.
void tst_prompt_marks::aRunIsRepeatedTokenForToken() {
  QFETCH(const RunRequest, run);
  QFETCH(const std::shared_ptr<const LoadedModel>, model);
  const Theme theme;
  PictureShelf shelf({});
  const auto ids = [](const std::vector<Token>& tokens) {
    std::vector<std::int64_t> all;
    for (const Token& token : tokens) all.push_back(token.id.value);
    return all;
  };
  for (const auto& loaded : {std::shared_ptr<const LoadedModel>(), model}) {
    PromptEditor editor(theme, shelf);
    editor.setModel(loaded);
    editor.setText(QStringLiteral("another prompt"));
    editor.showRun(run);
    const PreparedPrompt prompt = preparedFrom(editor.source(), *model);
    QCOMPARE(ids(prompt.tokens), ids(run.prompt));
    QVERIFY(prompt.images == run.images && prompt.absorbed == run.absorbed);
    if (editor.form() != PromptForm::Ids) continue;
    editor.findChild<QRadioButton*>(QStringLiteral("rawText"))->click();
    QCOMPARE(editor.parts(),
             partsOf(run.promptText, imageSpans(run.promptText, run.prompt, run.images),
                     run.images));
  }
}

void tst_prompt_marks::changedIdsBecomeATextWithTheirImages() {
  const Theme theme;
  PictureShelf shelf({});
  PromptEditor editor(theme, shelf);
  editor.setModel(test::loadedOfBytesAndImages());
  const Pictures pictures{readPicture(test::data("pictures/photo.jpg"))};
  editor.setParts(partsOf(u'a' + kPicturePlace + u'b', pictures));
  editor.prepareNow();
  editor.findChild<QRadioButton*>(QStringLiteral("tokenIds"))->click();
  PromptParts ids = editor.parts();
  ids.append(QStringLiteral(", 99"));  // c
  editor.setParts(ids);
  auto* raw = editor.findChild<QRadioButton*>(QStringLiteral("rawText"));
  raw->click();
  QCOMPARE(editor.parts(),
           partsOf(u'a' + kPicturePlace + QStringLiteral("bc"), pictures));
  // Ids without the image's tokens cannot become a text with the image.
  ids = partsOf(QStringLiteral("97, ") + kPicturePlace + QStringLiteral("98"), pictures);
  editor.setForm(PromptForm::Ids);
  editor.setParts(ids);
  raw->click();
  QCOMPARE(editor.parts(), ids);
}

void tst_prompt_marks::showingARunOfTheSameChatKeepsTheChat() {
  const Theme theme;
  PictureShelf shelf({});
  PromptEditor editor(theme, shelf);
  auto model = std::make_shared<LoadedModel>(*test::loadedOfWords());
  model->chat = test::anyChatTemplate();
  editor.setModel(model);
  const RunRequest run = runOfChat();
  connect(&editor, &PromptEditor::preparationRequested, &editor,
          [&](const auto&, const PromptSource& source) {
            editor.showPrepared(std::make_shared<const PreparedPrompt>(PreparedPrompt{
                .source = source, .text = run.promptText, .tokens = run.prompt}));
          });
  editor.setForm(PromptForm::Chat);
  editor.setText(QStringLiteral("hi"));
  editor.prepareNow();
  editor.setAbsorbed("1");
  editor.showRun(run);
  QCOMPARE(editor.form(), PromptForm::Chat);
  QCOMPARE(editor.text(), QStringLiteral("hi"));
  QCOMPARE(editor.absorbed(), std::string("all"));
}

void tst_prompt_marks::marksFollowAnEditBeforeThereIsAModel() {
  const Theme theme;
  PictureShelf shelf({});
  PromptEditor before(theme, shelf);
  before.setModel(test::loadedOfWords());
  before.setText(QStringLiteral("Tom and his dog"));
  before.prepareNow();
  before.setAbsorbed("2-3");
  PromptEditor editor(theme, shelf);
  editor.restore(before.state());
  QCOMPARE(editor.absorbed(), std::string("2-3"));
  editor.setText(QStringLiteral("Please answer. Tom and his dog"));
  editor.prepareNow();
  const PreparedPrompt prompt =
      preparePrompt(editor.source(), test::WordTokenizer(), nullptr);
  QCOMPARE(absorbedText(prompt.absorbed, 7), std::string("4-5"));
  editor.setModel(test::loadedOfWords());
  editor.setText(QStringLiteral("Please answer! Tom and his dog"));
  editor.prepareNow();
  QCOMPARE(editor.absorbed(), std::string("4-5"));
}

void tst_prompt_marks::theAbsorbedBoxListsTheSentences() {
  const Theme theme;
  PictureShelf shelf({});
  PromptEditor editor(theme, shelf);
  auto* box = editor.findChild<QComboBox*>(QStringLiteral("absorb"));
  editor.setModel(test::loadedOfWords());
  editor.setText(QStringLiteral("One thing."));
  editor.prepareNow();
  QCOMPARE(box->count(), 4);
  editor.setText(QStringLiteral("The sky is <b>. The sea is calm."));
  editor.prepareNow();
  QCOMPARE(box->count(), 6);
  QCOMPARE(box->itemText(5), QStringLiteral("sentence:2"));
  QVERIFY(box->itemData(4, Qt::ToolTipRole).toString().contains(QStringLiteral("&lt;b")));
  box->setCurrentIndex(5);
  Q_EMIT box->activated(5);
  const auto prompt = editor.prepared();
  QVERIFY(prompt);
  QVERIFY(prompt->absorbed ==
          parseAbsorbedSet("sentence:2", prompt->tokens, {}, prompt->text));
  QCOMPARE(box->currentText(), QString::fromStdString(editor.absorbed()));
}

/// Both prompts absorb the positions 0-1, but have different tokens there.
void tst_prompt_marks::restoredAbsorbedPartsKeepTheirPositions() {
  const Theme theme;
  PictureShelf shelf({});
  PromptEditor editor(theme, shelf);
  editor.restore(
      {.parts = {QStringLiteral("4 2 7")}, .form = PromptForm::Ids, .absorbed = "0-1"});
  QCOMPARE(editor.absorbed(), std::string("0-1"));
  editor.restore(
      {.parts = {QStringLiteral("5 6 8 9")}, .form = PromptForm::Ids, .absorbed = "0-1"});
  QCOMPARE(editor.tokenCount(), 4);
  QCOMPARE(editor.absorbed(), std::string("0-1"));
}

void tst_prompt_marks::eachOfTwoEqualImagesOpensWithItsOwnTokens() {
  const Theme theme;
  PictureShelf shelf({});
  PromptEditor editor(theme, shelf);
  editor.setModel(test::loadedOfBytesAndImages());
  const auto picture = readPicture(test::data("pictures/photo.jpg"));
  editor.setParts(partsOf(kPicturePlace + u'a' + kPicturePlace, {picture, picture}));
  editor.prepareNow();
  QVERIFY(editor.prepared());
  const std::vector<PositionRange> images = imageTokens(editor.prepared()->images);
  std::vector<PositionRange> opened;
  connect(&editor, &PromptEditor::pictureActivated, &editor,
          [&](const PictureSubject& subject) { opened.push_back(subject.image.tokens); });
  auto* text = editor.findChild<PromptView*>(QStringLiteral("prompt"));
  for (const int index : {0, 1}) Q_EMIT text->pictureActivated(index);
  QVERIFY(images.size() == 2 && opened == images);
  auto* chips = editor.findChild<PromptTokens*>();
  for (const auto& image : images) Q_EMIT chips->pictureDoubleClicked(int(image.first));
  QVERIFY(opened.size() == 4 && opened[2] == images[0] && opened[3] == images[1]);
}

void tst_prompt_marks::marksStayWithTheirImage() {
  const Theme theme;
  PictureShelf shelf({});
  PromptEditor editor(theme, shelf);
  editor.setModel(test::loadedOfBytesAndImages());
  const auto photo = readPicture(test::data("pictures/photo.jpg"));
  const auto other = readPicture(test::data("pictures/gray.png"));
  const auto absorbedOf = [&](const Pictures& pictures) {
    QString text;
    for (std::size_t i = 0; i < pictures.size(); ++i) text += kPicturePlace;
    editor.setParts(partsOf(text + u'a', pictures));
    editor.prepareNow();
    return editor.absorbed();
  };
  absorbedOf({photo});
  editor.setAbsorbed("0-2,5-7,generated");  // keeps the image and the last token
  QCOMPARE(absorbedOf({other, photo}), std::string("0-10,13-15,generated"));
  QCOMPARE(absorbedOf({photo}), std::string("0-2,5-7,generated"));
  // The same file was inserted again.
  const auto again = readPicture(test::data("pictures/photo.jpg"));
  absorbedOf({photo, again});
  editor.setAbsorbed("0-10,13-16,generated");          // keeps the second image
  QCOMPARE(absorbedOf({again}), std::string("text"));  // all but the image
  QCOMPARE(absorbedOf({photo, again}), std::string("0-10,13-16,generated"));
}

void tst_prompt_marks::promptsOfIdsListNoSentences() {
  const Theme theme;
  PictureShelf shelf({});
  PromptEditor editor(theme, shelf);
  editor.setForm(PromptForm::Ids);
  editor.setText(QStringLiteral("4 2\n7"));
  editor.prepareNow();
  QCOMPARE(editor.findChild<QComboBox*>(QStringLiteral("absorb"))->count(), 4);
  editor.setAbsorbed("sentence:1");
  QVERIFY(editor.noteText().contains(QStringLiteral("has no sentences")));
}

/// Each of the three bytes of "∞" is a token.
void tst_prompt_marks::aSplitCharacterIsMarkedAsAWhole() {
  const Theme theme;
  PictureShelf shelf({});
  PromptEditor editor(theme, shelf);
  editor.setModel(test::loadedOfBytes());
  editor.setText(QStringLiteral("∞x"));
  editor.prepareNow();
  QCOMPARE(editor.tokenCount(), 4);
  auto* text = editor.findChild<PromptView*>(QStringLiteral("prompt"));
  QTextCursor cursor = text->textCursor();
  cursor.setPosition(0);
  cursor.setPosition(1, QTextCursor::KeepAnchor);
  text->setTextCursor(cursor);
  editor.keepSelected();
  QCOMPARE(editor.absorbed(), std::string("3,generated"));
}

void tst_prompt_marks::textSelectedBeforeTokensExistCanBeKept() {
  const Theme theme;
  PictureShelf shelf({});
  PromptEditor editor(theme, shelf);
  editor.setText(QStringLiteral("Tom and his dog"));
  auto* text = editor.findChild<PromptView*>(QStringLiteral("prompt"));
  QTextCursor cursor = text->textCursor();
  cursor.setPosition(4);
  cursor.setPosition(7, QTextCursor::KeepAnchor);
  text->setTextCursor(cursor);
  editor.setModel(test::loadedOfWords());
  editor.keepSelected();
  QCOMPARE(editor.absorbed(), std::string("0-1,3-4,generated"));
}

/// A line edit holds 32767 characters unless its limit is raised.
void tst_prompt_marks::aLongAbsorbedTextIsNotCut() {
  constexpr int kTokens = 16000;
  const Theme theme;
  PictureShelf shelf({});
  PromptEditor editor(theme, shelf);
  editor.restore({.parts = {QStringLiteral("7 ").repeated(kTokens)},
                  .form = PromptForm::Ids,
                  .absorbed = "all"});
  QCOMPARE(editor.tokenCount(), kTokens);
  editor.findChild<PromptTokens*>()->choose(1, kTokens - 2);
  editor.findChild<PromptMarking*>()->absorbOnlySelected();
  QCOMPARE(editor.absorbed(), std::string("1-15998"));
  QStringList even;
  for (int token = 0; token < kTokens; token += 2) even << QString::number(token);
  const std::string part = even.join(u',').toStdString();
  editor.setAbsorbed(part);
  QVERIFY(editor.takeAbsorbed().isEmpty());
  QVERIFY(editor.absorbed() == part);
}

EQUIPATCH_TEST(tst_prompt_marks)
#include "tst_prompt_marks.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QDockWidget>
#include <QMainWindow>
#include <QMenu>
#include <QRadioButton>
#include <QSignalSpy>
#include <QTextEdit>
#include <QToolButton>
#include <algorithm>

#include "tests/support/test_case.h"
#include "tests/ui/support/quiet_platform.h"
#include "tests/ui/support/synthetic_engine.h"
#include "ui/prompt/prompt_editor.h"
#include "ui/prompt/sample_prompts.h"

using namespace equipatch;

namespace {

std::shared_ptr<const LoadedModel> loaded(bool hasChat = false) {
  auto model = std::make_shared<LoadedModel>();
  model->tokenizer = std::make_shared<test::WordTokenizer>();
  if (hasChat) model->chat = test::anyChatTemplate();
  return model;
}

std::shared_ptr<const PreparedPrompt> rendered(const std::string& message) {
  auto chat = std::make_shared<PreparedPrompt>();
  chat->source = {.text = message, .form = PromptForm::Chat};
  chat->text = "<user> " + message + " <model> ";
  chat->tokens = test::WordTokenizer().encode(chat->text, SpecialTokens::Omit);
  return chat;
}

}  // namespace

class tst_prompt_editor : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void keepsTheTextAsItIs();
  void countsTokensOfTheLoadedModel();
  void countsAgainAfterTyping();
  void showsWhyTokensAreNotCounted();
  void saysWhetherModelOrTokenizerIsMissing();
  void aThemeChangeIsNotReportedAsAnEdit();
  void tokenIdsAreShownAfterAModelChange();
  void preparedPromptsHoldTheMarks();
  void aChatNeedsATemplate();
  void aChatShowsWhatTheModelReads();
  void aRenderedChatOfAnotherTextIsDropped();
  void aJobPreparesALongText();
  void aRefusedChatIsReported();
  void samplesReplaceTheText();
  void samplesMayHavePictures();
  void switchingToIdsAndBackRestoresTheText();
  void wrongIdsAreNamed();
  void inTheSmallestEditorTheSamplesButtonIsAboveTheText();
};

void tst_prompt_editor::inTheSmallestEditorTheSamplesButtonIsAboveTheText() {
  const test::QuietPlatform quiet;
  const Theme theme;
  PictureShelf shelf({});
  QMainWindow window;
  window.setCentralWidget(new QWidget);
  auto* dock = new QDockWidget(&window);
  auto* editor = new PromptEditor(theme, shelf);
  editor->setBrief(true);
  dock->setWidget(editor);
  window.addDockWidget(Qt::LeftDockWidgetArea, dock);
  auto* below = new QDockWidget(&window);
  window.addDockWidget(Qt::LeftDockWidgetArea, below);
  window.resize(500, 700);
  window.show();
  window.resizeDocks({dock}, {230}, Qt::Horizontal);
  window.resizeDocks({dock, below}, {1, 600}, Qt::Vertical);
  const auto* samples = editor->findChild<QToolButton*>(QStringLiteral("samplePrompts"));
  const auto* text = editor->findChild<QTextEdit*>(QStringLiteral("prompt"));
  QTRY_COMPARE(dock->width(), 230);
  QTRY_VERIFY(samples->geometry().bottom() < text->geometry().top());
}

void tst_prompt_editor::samplesReplaceTheText() {
  const Theme theme;
  PictureShelf shelf({});
  PromptEditor editor(theme, shelf);
  editor.setText(QStringLiteral("mine"));
  const auto* button = editor.findChild<QToolButton*>(QStringLiteral("samplePrompts"));
  QSignalSpy edited(&editor, &PromptEditor::edited);
  const auto actions = button->menu()->actions();
  (*std::ranges::find(actions, samplePrompts().front().title, &QAction::text))->trigger();
  QCOMPARE(editor.text(), samplePrompts().front().text);
  QCOMPARE(edited.count(), 1);
}

void tst_prompt_editor::samplesMayHavePictures() {
  const Theme theme;
  PictureShelf shelf({});
  PromptEditor editor(theme, shelf);
  const auto* menu =
      editor.findChild<QToolButton*>(QStringLiteral("samplePrompts"))->menu();
  const QString title = QStringLiteral("How many triangles?");
  const auto actionOf = [&](const QString& text) {
    const auto actions = menu->actions();
    const auto found = std::ranges::find(actions, text, &QAction::text);
    return found == actions.end() ? nullptr : *found;
  };
  QVERIFY(actionOf(title));
  QSignalSpy chosen(&editor, &PromptEditor::pictureSampleChosen);
  actionOf(title)->trigger();
  QCOMPARE(chosen.count(), 1);
  QCOMPARE(editor.parts().pictures.size(), std::size_t{1});
  QCOMPARE(editor.parts().pictures[0].picture->name, std::string("scene-2.png"));
  QSignalSpy texts(&editor, &PromptEditor::textSampleChosen);
  actionOf(samplePrompts().front().title)->trigger();
  QCOMPARE(chosen.count(), 1);  // a sample without image
  QCOMPARE(texts.count(), 1);
}

void tst_prompt_editor::keepsTheTextAsItIs() {
  const Theme theme;
  PictureShelf shelf({});
  PromptEditor editor(theme, shelf);
  const QString text = QStringLiteral("Zwei  Zeilen:\n\t∞ 𝄞 ");
  editor.setText(text);
  editor.setModel(loaded());
  QCOMPARE(editor.text(), text);
}

void tst_prompt_editor::countsTokensOfTheLoadedModel() {
  const Theme theme;
  PictureShelf shelf({});
  PromptEditor editor(theme, shelf);
  editor.setText(QStringLiteral("Once upon a"));
  editor.setModel(loaded());
  QCOMPARE(editor.tokenCount(), 4);
  QCOMPARE(editor.countText(), QStringLiteral("4 tokens"));
}

void tst_prompt_editor::countsAgainAfterTyping() {
  const Theme theme;
  PictureShelf shelf({});
  PromptEditor editor(theme, shelf);
  editor.setModel(loaded());
  auto* edit = editor.findChild<QTextEdit*>(QStringLiteral("prompt"));
  QTest::keyClicks(edit, QStringLiteral("a b c"));
  QTRY_COMPARE(editor.tokenCount(), 4);
}

void tst_prompt_editor::showsWhyTokensAreNotCounted() {
  const Theme theme;
  PictureShelf shelf({});
  PromptEditor editor(theme, shelf);
  QVERIFY(editor.noteText().contains(QStringLiteral("Tokens need a model")));
  editor.setModel(loaded());
  editor.setModel(nullptr);
  QVERIFY(editor.noteText().contains(QStringLiteral("Tokens need a model")));
  editor.undo();  // there is nothing to undo
  editor.redo();
  QVERIFY(editor.noteText().contains(QStringLiteral("Tokens need a model")));
  // Setting an absorbed part does not hide this note, even after an invalid part.
  editor.setText(QStringLiteral("a b"));
  editor.setModel(loaded());
  editor.findChild<QComboBox*>(QStringLiteral("absorb"))
      ->setEditText(QStringLiteral("nothing such"));
  QVERIFY(!editor.takeAbsorbed().isEmpty());
  editor.setModel(nullptr);
  QVERIFY(editor.takeAbsorbed().isEmpty());
  QVERIFY(editor.setAbsorbed("prompt").isEmpty());
  QVERIFY(editor.noteText().contains(QStringLiteral("Tokens need a model")));
}

void tst_prompt_editor::saysWhetherModelOrTokenizerIsMissing() {
  const Theme theme;
  PictureShelf shelf({});
  PromptEditor editor(theme, shelf);
  editor.setText(QStringLiteral("Once"));
  editor.prepareNow();
  QVERIFY(editor.noteText().contains(QStringLiteral("need a model")));
  editor.setModel(std::make_shared<const LoadedModel>());
  QVERIFY(editor.noteText().contains(QStringLiteral("no tokenizer")));
}

void tst_prompt_editor::aThemeChangeIsNotReportedAsAnEdit() {
  Theme theme;
  PictureShelf shelf({});
  PromptEditor editor(theme, shelf);
  editor.setText(QStringLiteral("a b"));
  editor.setModel(loaded());
  QSignalSpy edited(&editor, &PromptEditor::edited);
  theme.setMode(theme.colours().dark ? Theme::Mode::Light : Theme::Mode::Dark);
  QCOMPARE(edited.count(), 0);
}

void tst_prompt_editor::tokenIdsAreShownAfterAModelChange() {
  const Theme theme;
  PictureShelf shelf({});
  PromptEditor editor(theme, shelf);
  editor.setModel(loaded());
  editor.setText(QStringLiteral("Once upon a"));
  editor.setModel(loaded());
  // WordTokenizer's ids are token lengths; the first 1 is the start token.
  QCOMPARE(editor.idText(), QStringLiteral("1 5 5 1"));
}

void tst_prompt_editor::preparedPromptsHoldTheMarks() {
  const Theme theme;
  PictureShelf shelf({});
  PromptEditor editor(theme, shelf);
  editor.setText(QStringLiteral("a b c"));
  QVERIFY(!editor.prepared());
  editor.setModel(loaded());
  editor.setAbsorbed("0-1,generated");
  const auto prompt = editor.prepared();
  QVERIFY(prompt->source == editor.source());
  QCOMPARE(prompt->tokens.size(), std::size_t(4));
  QVERIFY(prompt->absorbed == parseAbsorbedSet("0-1,generated", prompt->tokens));
  editor.setText(QStringLiteral("a b"));
  QVERIFY(!editor.prepared());
  editor.prepareNow();
  QCOMPARE(editor.prepared()->text, std::string("a b"));
}

void tst_prompt_editor::aChatNeedsATemplate() {
  const Theme theme;
  PictureShelf shelf({});
  PromptEditor editor(theme, shelf);
  const auto* chat = editor.findChild<QRadioButton*>(QStringLiteral("chat"));
  const auto* raw = editor.findChild<QRadioButton*>(QStringLiteral("rawText"));
  editor.setForm(PromptForm::Chat);
  QVERIFY(!chat->isEnabled());
  QVERIFY(raw->isChecked());
  editor.setModel(loaded());
  QVERIFY(!chat->isEnabled());
  QVERIFY(chat->toolTip().contains(QStringLiteral("without a chat template")));
  editor.setModel(loaded(true));
  QVERIFY(chat->isEnabled());
  QVERIFY(chat->isChecked());  // the user's choice still applies
  QVERIFY(editor.form() == PromptForm::Chat);
}

void tst_prompt_editor::aChatShowsWhatTheModelReads() {
  const Theme theme;
  PictureShelf shelf({});
  PromptEditor editor(theme, shelf);
  editor.setText(QStringLiteral("Hello"));
  editor.setModel(loaded(true));
  QSignalSpy requested(&editor, &PromptEditor::preparationRequested);
  editor.findChild<QRadioButton*>(QStringLiteral("chat"))->click();
  QCOMPARE(requested.count(), 1);
  QCOMPARE(requested[0][1].value<PromptSource>().text, std::string("Hello"));
  QVERIFY(!editor.prepared());
  editor.showPrepared(rendered("Hello"));
  QVERIFY(editor.prepared()->tokens == rendered("Hello")->tokens);
  QCOMPARE(editor.renderedText(), QStringLiteral("<user> Hello <model> "));
  QCOMPARE(editor.tokenCount(), 3);
  QCOMPARE(editor.idText(), QStringLiteral("7 6 8"));
  editor.setForm(PromptForm::Text);
  QCOMPARE(editor.idText(), QStringLiteral("1 5"));
}

void tst_prompt_editor::aRenderedChatOfAnotherTextIsDropped() {
  const Theme theme;
  PictureShelf shelf({});
  PromptEditor editor(theme, shelf);
  editor.setText(QStringLiteral("new"));
  editor.setModel(loaded(true));
  editor.showPrepared(rendered("new"));
  QVERIFY(editor.renderedText().isEmpty());  // the form is not a chat
  editor.setForm(PromptForm::Chat);
  editor.showPrepared(rendered("old"));
  QVERIFY(editor.renderedText().isEmpty());
  editor.showPrepared(rendered("new"));
  QVERIFY(!editor.renderedText().isEmpty());
  editor.setText({});
  QTRY_VERIFY(editor.renderedText().isEmpty());
  QCOMPARE(editor.tokenCount(), 0);
}

/// The window must not wait while a long text is prepared.
void tst_prompt_editor::aJobPreparesALongText() {
  const Theme theme;
  PictureShelf shelf({});
  PromptEditor editor(theme, shelf);
  editor.setModel(loaded(false));
  QSignalSpy requested(&editor, &PromptEditor::preparationRequested);
  const QString text = QStringLiteral("word ").repeated(10'000);
  editor.setText(text);
  editor.prepareNow();
  QCOMPARE(requested.count(), 1);
  QCOMPARE(requested[0][1].value<PromptSource>().text, text.toStdString());
  QCOMPARE(editor.tokenCount(), 0);
  editor.showPrepared(std::make_shared<const PreparedPrompt>(preparePrompt(
      requested[0][1].value<PromptSource>(), test::WordTokenizer(), nullptr)));
  QCOMPARE(editor.tokenCount(), 10'001);
  QVERIFY(editor.prepared());
  editor.setText(QStringLiteral("short"));
  editor.prepareNow();
  QCOMPARE(requested.count(), 1);
  editor.showProblem(QStringLiteral("Late."));  // about the long text
  QCOMPARE(editor.tokenCount(), 2);
}

void tst_prompt_editor::aRefusedChatIsReported() {
  const test::QuietPlatform quiet;
  const Theme theme;
  PictureShelf shelf({});
  PromptEditor editor(theme, shelf);
  editor.setText(QStringLiteral("a"));
  editor.setModel(loaded(true));
  editor.setForm(PromptForm::Chat);
  editor.showPrepared(rendered("a"));
  editor.showProblem(QStringLiteral("Refused."));
  QCOMPARE(editor.noteText(), QStringLiteral("Refused."));
  QVERIFY(editor.renderedText().isEmpty());
  QVERIFY(editor.idText().isEmpty());
  // A long sentence gets its own lines over the whole width.
  const QString sentence = QString(40, u'X').append(u' ').repeated(8).trimmed();
  editor.resize(300, 600);
  editor.show();
  editor.showProblem(sentence);
  const QLabel& note = *editor.findChild<QLabel*>(QStringLiteral("promptNote"));
  QTRY_VERIFY(note.height() >= note.heightForWidth(note.width()));
  QVERIFY(note.width() > 280);
  QCOMPARE(note.text(), sentence);
  // A long name does not widen the panel.
  editor.showProblem(QStringLiteral(
      "/models/a: the tensor \"vision_tower.vision_model.embeddings.patch_embedding."
      "weight\" is missing."));
  QVERIFY(editor.minimumSizeHint().width() < 300);
  editor.setForm(PromptForm::Text);
  editor.prepareNow();
  QTRY_VERIFY(!note.isVisible());
}

void tst_prompt_editor::switchingToIdsAndBackRestoresTheText() {
  const Theme theme;
  PictureShelf shelf({});
  PromptEditor editor(theme, shelf);
  editor.setModel(loaded());
  editor.setText(QStringLiteral("Once upon a"));
  editor.prepareNow();
  auto* ids = editor.findChild<QRadioButton*>(QStringLiteral("tokenIds"));
  auto* raw = editor.findChild<QRadioButton*>(QStringLiteral("rawText"));
  ids->click();
  QCOMPARE(editor.text(), QStringLiteral("1, 5, 5, 1"));
  editor.prepareNow();
  QCOMPARE(editor.tokenCount(), 4);
  QVERIFY(editor.source().form == PromptForm::Ids);
  const auto prompt = editor.prepared();
  QVERIFY(prompt && prompt->text.empty() && prompt->tokens[2].id == TokenId(5));
  raw->click();
  QCOMPARE(editor.text(), QStringLiteral("Once upon a"));
  // Changed ids are decoded; their digits do not become the text.
  ids->click();
  editor.setText(QStringLiteral("[1, 7]"));
  raw->click();
  QCOMPARE(editor.text(), QStringLiteral("wordword"));  // by WordTokenizer::decode
  editor.setForm(PromptForm::Ids);
  editor.setText(QStringLiteral("no ids"));
  raw->click();
  QCOMPARE(editor.text(), QStringLiteral("no ids"));
  editor.setForm(PromptForm::Ids);
  const auto file = std::make_shared<const PictureFile>();
  editor.setParts(partsOf(kPicturePlace + u'a', {file}));
  raw->click();
  QCOMPARE(editor.parts().files(), Pictures{file});
  ids->click();
  editor.takeSample(0);
  QVERIFY(raw->isChecked());
  QCOMPARE(editor.text(), samplePrompts().front().text);
  // A run of ids is shown as ids.
  RunRequest request;
  for (const int id : {4, 2}) request.prompt.push_back({.id = TokenId(id)});
  editor.showRun(request);
  QCOMPARE(editor.text(), QStringLiteral("4, 2"));
  QVERIFY(ids->isChecked() && editor.tokenCount() == 2);
}

void tst_prompt_editor::wrongIdsAreNamed() {
  const Theme theme;
  PictureShelf shelf({});
  PromptEditor editor(theme, shelf);
  editor.setForm(PromptForm::Ids);
  editor.setText(QStringLiteral("4, five"));
  editor.prepareNow();
  QCOMPARE(editor.tokenCount(), 0);
  QVERIFY(!editor.prepared());
  QVERIFY2(editor.noteText().contains(QStringLiteral("\"five\" is none")),
           qPrintable(editor.noteText()));
  editor.setText(QStringLiteral("4, 5"));  // no model is needed
  editor.prepareNow();
  QCOMPARE(editor.tokenCount(), 2);
}

EQUIPATCH_TEST(tst_prompt_editor)
#include "tst_prompt_editor.moc"

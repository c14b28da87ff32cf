#include <QPlainTextEdit>
#include <QSignalSpy>

#include "tests/support/test_case.h"
#include "tests/ui/support/synthetic_engine.h"
#include "ui/prompt/prompt_editor.h"

using namespace equipatch;

class tst_prompt_editor : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void keepsTheTextAsItIs();
  void countsTokensOfTheLoadedModel();
  void countsAgainAfterTyping();
  void saysWhyItDoesNotCount();
  void colouringIsNoEdit();
};

void tst_prompt_editor::keepsTheTextAsItIs() {
  const Theme theme;
  PromptEditor editor(theme);
  const QString text = QStringLiteral("Zwei  Zeilen:\n\t∞ 𝄞 ");
  editor.setText(text);
  editor.setTokenizer(std::make_shared<test::WordTokenizer>());
  QCOMPARE(editor.text(), text);
}

void tst_prompt_editor::countsTokensOfTheLoadedModel() {
  const Theme theme;
  PromptEditor editor(theme);
  editor.setText(QStringLiteral("Once upon a"));
  editor.setTokenizer(std::make_shared<test::WordTokenizer>());
  QCOMPARE(editor.tokenCount(), 4);
  QCOMPARE(editor.countText(), QStringLiteral("4 tokens"));
}

void tst_prompt_editor::countsAgainAfterTyping() {
  const Theme theme;
  PromptEditor editor(theme);
  editor.setTokenizer(std::make_shared<test::WordTokenizer>());
  auto* edit = editor.findChild<QPlainTextEdit*>(QStringLiteral("prompt"));
  QTest::keyClicks(edit, QStringLiteral("a b c"));
  QTRY_COMPARE(editor.tokenCount(), 4);
}

void tst_prompt_editor::saysWhyItDoesNotCount() {
  const Theme theme;
  PromptEditor editor(theme);
  QVERIFY(editor.countText().contains(QStringLiteral("when a model with a tokenizer")));
  editor.setTokenizer(std::make_shared<test::WordTokenizer>());
  editor.setTokenizer(nullptr);
  QVERIFY(editor.countText().contains(QStringLiteral("when a model with a tokenizer")));
}

void tst_prompt_editor::colouringIsNoEdit() {
  Theme theme;
  PromptEditor editor(theme);
  editor.setText(QStringLiteral("a b"));
  editor.setTokenizer(std::make_shared<test::WordTokenizer>());
  QSignalSpy edited(&editor, &PromptEditor::edited);
  theme.setMode(theme.colours().dark ? Theme::Mode::Light : Theme::Mode::Dark);
  QCOMPARE(edited.count(), 0);
}

EQUIPATCH_TEST(tst_prompt_editor)
#include "tst_prompt_editor.moc"

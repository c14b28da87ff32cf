// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompt/absorbed_box.h"

#include <QLineEdit>
#include <QTest>

#include "tests/support/test_case.h"
#include "ui/prompt/prompt_marking.h"

using namespace equipatch;

namespace {

std::vector<Token> tokensOf(int count) {
  std::vector<Token> tokens;
  for (int id = 1; id <= count; ++id) tokens.push_back({TokenId(id), "t", {}, id == 1});
  return tokens;
}

/// The marks of a prompt with three tokens, and their field.
struct MarkedPrompt {
  const Theme theme;
  PictureShelf shelf{{}};
  QWidget editor;
  PromptView edit{theme, shelf};
  PromptMarking marking{theme, shelf, edit, editor};
  AbsorbedBox* box = editor.findChild<AbsorbedBox*>(QStringLiteral("absorb"));

  MarkedPrompt() { show(3); }
  void show(int count, const std::string& text = {}) {
    marking.showTokens(tokensOf(count), {}, text, {});
  }
  void type(const QString& part) {
    box->lineEdit()->selectAll();
    QTest::keyClicks(box->lineEdit(), part);
  }
};

}  // namespace

/// The field for the absorbed part while tokens arrive, as those of a chat do.
class tst_absorbed_box : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void typedTextStaysWhenTokensChange();
  void aCompletedNameStaysWhenTokensChange();
  void presetsStayUnchangedWhileTextIsTyped();
  void aMarkReplacesWhatIsTyped();
};

void tst_absorbed_box::typedTextStaysWhenTokensChange() {
  MarkedPrompt prompt;
  prompt.type(QStringLiteral("0-1"));
  prompt.show(4);
  QCOMPARE(prompt.box->currentText(), QStringLiteral("0-1"));
  QCOMPARE(prompt.marking.absorbedText(), std::string("all"));
  prompt.show(0);
  prompt.show(5);
  QCOMPARE(prompt.box->currentText(), QStringLiteral("0-1"));
  QVERIFY(prompt.marking.takeAbsorbedText().isEmpty());
  QCOMPARE(prompt.marking.absorbedText(), std::string("0-1"));
  // What has been taken follows the tokens.
  QVERIFY(prompt.marking.setAbsorbedText("4,generated").isEmpty());
  prompt.show(4);
  QCOMPARE(prompt.box->currentText().toStdString(), prompt.marking.absorbedText());
  QVERIFY(prompt.box->currentText() != QStringLiteral("4,generated"));
}

/// The box completes the name and selects the letters that were not typed.
void tst_absorbed_box::aCompletedNameStaysWhenTokensChange() {
  MarkedPrompt prompt;
  prompt.type(QStringLiteral("keep"));
  const QString typed = prompt.box->currentText();
  QVERIFY(typed.startsWith(QStringLiteral("keep")));
  prompt.show(4);
  QCOMPARE(prompt.box->currentText(), typed);
}

void tst_absorbed_box::presetsStayUnchangedWhileTextIsTyped() {
  MarkedPrompt prompt;
  const int presets = prompt.box->count();
  prompt.type(QStringLiteral("1"));
  prompt.show(4, "The sky is blue. The sea is calm.");
  QCOMPARE(prompt.box->count(), presets);
  QVERIFY(prompt.box->isTyped());
  QVERIFY(prompt.marking.takeAbsorbedText().isEmpty());
  QCOMPARE(prompt.box->count(), presets + 2);
  QCOMPARE(prompt.box->currentText(), QStringLiteral("1"));
  QVERIFY(!prompt.box->isTyped());
}

void tst_absorbed_box::aMarkReplacesWhatIsTyped() {
  MarkedPrompt prompt;
  prompt.type(QStringLiteral("1"));
  prompt.marking.choose({2, 2});
  prompt.marking.keepSelected();
  QCOMPARE(prompt.box->currentText(), QStringLiteral("0-1,generated"));
  QCOMPARE(prompt.marking.absorbedText(), std::string("0-1,generated"));
}

EQUIPATCH_TEST(tst_absorbed_box)
#include "tst_absorbed_box.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/help_dialog.h"

#include <QClipboard>
#include <QMenuBar>
#include <QPointer>
#include <QPushButton>
#include <QToolButton>
#include <algorithm>

#include "tests/support/test_case.h"
#include "tests/ui/support/quiet_platform.h"
#include "tests/ui/support/scratch_settings.h"
#include "tests/ui/support/synthetic_engine.h"
#include "ui/prompt/prompt_editor.h"
#include "ui/window/main_window.h"

using namespace equipatch;

namespace {

struct HelpSetup {
  test::QuietPlatform quiet;
  test::ScratchSettings scratch;
  test::SyntheticEngine engine;
  MainWindow window{engine};
  HelpDialog* dialog = new HelpDialog(*window.menuBar(), &window);

  QString page(int index) const {
    return qobject_cast<QTextBrowser*>(dialog->pages()->widget(index))->toPlainText();
  }
};

}  // namespace

class tst_help_dialog : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void wordsComeFromTheGlossary() {
    const HelpSetup s;
    const QString words = s.page(1);
    for (const char* word : {"contextual pass", "bare pass", "noise floor", "margin"})
      QVERIFY2(words.contains(QString::fromLatin1(word)), word);
    QVERIFY2(!words.contains(u'|'), "a table was not understood");
    QVERIFY(words.startsWith(QStringLiteral("In one sentence")));
    const auto sentence = words.indexOf(QStringLiteral("The model with patched weights"));
    QVERIFY(sentence >= 0);
    QVERIFY(sentence < words.indexOf(QStringLiteral("original weights, whole context")));
  }

  void papersAreCopiedAsBibTeX() {
    const HelpSetup s;
    auto* help = s.dialog;
    s.window.command("cite")->trigger();
    QVERIFY(help->isVisible());
    QCOMPARE(help->pages()->currentIndex(), int(HelpPage::Cite));
    const QString page = s.page(int(HelpPage::Cite));
    auto* copy = help->findChild<QPushButton*>("copyBibTeX");
    QVERIFY(copy && copy->isVisible());
    copy->click();
    const QString copied = QGuiApplication::clipboard()->text();
    for (const char* doi : {"10.48550/arXiv.2511.17864", "10.48550/arXiv.2507.16003"}) {
      QVERIFY(page.contains(QString::fromLatin1(doi)));
      QVERIFY(copied.contains(QString::fromLatin1(doi)));
    }
    QCOMPARE(copied.count("archivePrefix = {arXiv}"), 2);
    QVERIFY(copied.contains("eprint  = {2511.17864}"));
    QVERIFY(copied.contains("{Transformer}") && copied.contains("{Equipatch}"));
    QVERIFY(copied.contains("Version " EQUIPATCH_VERSION));
    QCOMPARE(copied.count('{'), copied.count('}'));
    help->pages()->setCurrentIndex(0);
    QVERIFY(copy->isHidden());
  }

  void keysOfAllCommandsAreListed() {
    const HelpSetup s;
    const QStringList cells = s.page(2).split(u'\n', Qt::SkipEmptyParts);
    int listed = 0;
    for (const QAction* menu : s.window.menuBar()->actions())
      for (const QAction* action : menu->menu()->actions()) {
        const QString keys =
            QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText)
                .replace(QStringLiteral("; "), QStringLiteral(", "));
        if (keys.isEmpty()) continue;
        const QStringList row{keys, action->text().remove(u'&')};
        QVERIFY2(std::ranges::search(cells, row).begin() != cells.end(),
                 qPrintable(row.join(u' ')));
        ++listed;
      }
    QVERIFY(listed > 10);
    QVERIFY(!s.page(2).contains(u'&'));
  }

  void keysNamedInTheHelpExist() {
    const HelpSetup s;
    QVERIFY(s.page(0).contains(QStringLiteral("F5")));
    QVERIFY(s.window.command("run")->shortcuts().contains(QKeySequence(Qt::Key_F5)));
    const auto& editor = *s.window.findChild<PromptEditor*>();
    for (const char* name : {"keepTokens", "absorbTokens"}) {
      const auto* button = editor.findChild<QToolButton*>(QString::fromLatin1(name));
      QVERIFY(button);
      const QString key = button->defaultAction()->shortcut().toString();
      QVERIFY2(!key.isEmpty() && s.page(2).contains(key + u'\n'), name);
    }
  }

  void theFirstHelpPageShowsCrossAndDiamond() {
    const HelpSetup s;
    QVERIFY(s.page(0).contains(u'✗') && s.page(0).contains(u'◆'));
  }

  void escapeClosesTheDialog() {
    const HelpSetup s;
    s.dialog->show();
    QVERIFY(s.dialog->isVisible());
    QTest::keyClick(s.dialog, Qt::Key_Escape);
    QVERIFY(!s.dialog->isVisible());
  }

  void showingHelpTwiceMakesOneDialog() {
    const test::QuietPlatform quiet;
    QMainWindow window;
    showHelp(window);
    showHelp(window);
    QCOMPARE(window.findChildren<HelpDialog*>().size(), 1);
    QVERIFY(window.findChild<HelpDialog*>()->isVisible());
  }

  void aboutShowsVersionAndLicence() {
    const test::QuietPlatform quiet;
    QWidget window;
    const QPointer<QMessageBox> box = showAboutBox(window);
    QVERIFY(box->text().contains(QStringLiteral(EQUIPATCH_VERSION)));
    QVERIFY(box->informativeText().contains(QStringLiteral("General Public License")));
    box->close();
    QTRY_VERIFY(!box);
  }
};

EQUIPATCH_TEST(tst_help_dialog)
#include "tst_help_dialog.moc"

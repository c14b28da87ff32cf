#include <QDockWidget>
#include <QPlainTextEdit>

#include "tests/support/test_case.h"
#include "tests/ui/support/scratch_settings.h"
#include "tests/ui/support/synthetic_engine.h"
#include "ui/window/main_window.h"

using namespace equipatch;

class tst_main_window : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void hasItsDocks();
  void namesTheModelInItsTitle();
  void asksForAFolderFirst();
  void keepsThePromptOverARestart();
  void everyControlHasAName();
};

void tst_main_window::hasItsDocks() {
  const test::ScratchSettings scratch;
  test::SyntheticEngine engine;
  const MainWindow window(engine);
  QCOMPARE(window.findChildren<QDockWidget*>().size(), 4);
}

void tst_main_window::namesTheModelInItsTitle() {
  const test::ScratchSettings scratch;
  test::SyntheticEngine engine;
  MainWindow window(engine);
  window.setFolder(QStringLiteral("/models/tiny"));
  window.loadChosenModel();
  QTRY_COMPARE(window.windowTitle(), QStringLiteral("tiny – Equipatch"));
}

void tst_main_window::asksForAFolderFirst() {
  const test::ScratchSettings scratch;
  test::SyntheticEngine engine;
  MainWindow window(engine);
  window.run();
  QVERIFY(window.messages().text().contains(QStringLiteral("No model folder is chosen")));
  QCOMPARE(engine.loads(), 0);
}

void tst_main_window::keepsThePromptOverARestart() {
  const test::ScratchSettings scratch;
  test::SyntheticEngine engine;
  const QString prompt = QStringLiteral("You will rejoice\nto hear");
  {
    MainWindow window(engine);
    window.setPrompt(prompt);
    window.close();
  }
  const MainWindow window(engine);
  QCOMPARE(window.findChild<QPlainTextEdit*>(QStringLiteral("prompt"))->toPlainText(),
           prompt);
}

void tst_main_window::everyControlHasAName() {
  const test::ScratchSettings scratch;
  test::SyntheticEngine engine;
  const MainWindow window(engine);
  for (const QWidget* widget : window.findChildren<QWidget*>()) {
    const bool ours = !widget->objectName().isEmpty() &&
                      !widget->objectName().startsWith(QStringLiteral("qt_"));
    if (!ours || widget->focusPolicy() == Qt::NoFocus || !widget->isEnabled()) continue;
    const bool named = !widget->accessibleName().isEmpty() ||
                       qobject_cast<const QAbstractButton*>(widget) ||
                       qobject_cast<const QLabel*>(widget);
    QVERIFY2(named, qPrintable(widget->objectName()));
  }
}

EQUIPATCH_TEST(tst_main_window)
#include "tst_main_window.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/plain_labels.h"

#include <QLabel>
#include <QMessageBox>

#include "tests/support/test_case.h"
#include "tests/ui/support/quiet_platform.h"
#include "tests/ui/support/scratch_settings.h"
#include "tests/ui/support/synthetic_engine.h"
#include "ui/window/help_dialog.h"
#include "ui/window/main_window.h"

using namespace equipatch;

class tst_plain_labels : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void labelsOfTheWindowHaveAFixedTextFormat();
  void messageBoxesShowHtmlAsPlainText();
  void theAboutBoxStaysRichText();
};

void tst_plain_labels::labelsOfTheWindowHaveAFixedTextFormat() {
  const test::QuietPlatform quiet;
  const test::ScratchSettings scratch;
  test::SyntheticEngine engine;
  MainWindow window{engine};
  window.show();
  const auto labels = window.findChildren<QLabel*>();
  QVERIFY(labels.size() > 20);
  for (QLabel* label : labels) {
    label->ensurePolished();
    QVERIFY2(label->textFormat() != Qt::AutoText, qPrintable(label->text()));
  }
}

void tst_plain_labels::messageBoxesShowHtmlAsPlainText() {
  const test::QuietPlatform quiet;
  QWidget window;
  const PlainLabels plain(&window);
  QMessageBox box(QMessageBox::Question, "Delete", "Delete <s>old</s>?",
                  QMessageBox::Close, &window);
  box.setInformativeText("<img src=/dev/zero> stays.");
  box.open();
  for (QLabel* label : box.findChildren<QLabel*>())
    QCOMPARE(label->textFormat(), Qt::PlainText);
}

void tst_plain_labels::theAboutBoxStaysRichText() {
  const test::QuietPlatform quiet;
  QWidget window;
  const PlainLabels plain(&window);
  const QMessageBox* box = showAboutBox(window);
  for (QLabel* label : box->findChildren<QLabel*>())
    QCOMPARE(label->textFormat(), Qt::RichText);
}

EQUIPATCH_TEST(tst_plain_labels)
#include "tst_plain_labels.moc"

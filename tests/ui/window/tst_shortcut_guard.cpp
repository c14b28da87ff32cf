// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/shortcut_guard.h"

#include <QComboBox>
#include <QLineEdit>
#include <QShortcut>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>
#include <QVBoxLayout>

#include "tests/support/test_case.h"
#include "tests/ui/support/quiet_platform.h"

using namespace equipatch;

class tst_shortcut_guard : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void ctrlEReachesTheWindowFromEveryField() {
    const equipatch::test::QuietPlatform quiet;
    QWidget window;
    const ShortcutGuard guard(&window);
    auto* rows = new QVBoxLayout(&window);
    auto* number = new QSpinBox;
    auto* line = new QLineEdit(QStringLiteral("text"));
    auto* box = new QComboBox;
    box->setEditable(true);
    for (QWidget* field : {static_cast<QWidget*>(number), static_cast<QWidget*>(line),
                           static_cast<QWidget*>(box)})
      rows->addWidget(field);
    const QShortcut shortcut(Qt::CTRL | Qt::Key_E, &window);
    const QSignalSpy pressed(&shortcut, &QShortcut::activated);
    window.show();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    int presses = 0;
    for (QWidget* field : {static_cast<QWidget*>(number), static_cast<QWidget*>(line),
                           static_cast<QWidget*>(box)}) {
      field->setFocus();
      QTest::keyClick(window.focusWidget(), Qt::Key_E, Qt::ControlModifier);
      QCOMPARE(pressed.count(), ++presses);
    }
    // Other keys of text stay with it.
    line->setFocus();
    line->setCursorPosition(4);
    QTest::keyClick(line, Qt::Key_A, Qt::ControlModifier);
    QCOMPARE(line->selectedText(), QStringLiteral("text"));
  }
};

EQUIPATCH_TEST(tst_shortcut_guard)
#include "tst_shortcut_guard.moc"

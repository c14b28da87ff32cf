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

namespace {

/// A field that claims every key. Qt's own fields claim Ctrl+E on X11, but not on the
/// offscreen platform of the tests.
class ClaimingLine final : public QLineEdit {
 public:
  using QLineEdit::QLineEdit;

  bool event(QEvent* event) override {
    if (event->type() != QEvent::ShortcutOverride) return QLineEdit::event(event);
    event->accept();
    return true;
  }
};

}  // namespace

class tst_shortcut_guard : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void ctrlEReachesTheWindowFromEveryField() {
    const equipatch::test::QuietPlatform quiet;
    QWidget window;
    const ShortcutGuard guard(&window);
    auto* rows = new QVBoxLayout(&window);
    auto* number = new QSpinBox;
    auto* line = new ClaimingLine(QStringLiteral("text"));
    auto* box = new QComboBox;
    box->setLineEdit(new ClaimingLine);
    for (QWidget* field : {static_cast<QWidget*>(number), static_cast<QWidget*>(line),
                           static_cast<QWidget*>(box)})
      rows->addWidget(field);
    const QShortcut shortcut(Qt::CTRL | Qt::Key_E, &window);
    const QSignalSpy pressed(&shortcut, &QShortcut::activated);
    const QShortcut other(Qt::CTRL | Qt::Key_A, &window);
    const QSignalSpy otherPressed(&other, &QShortcut::activated);
    window.show();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    int presses = 0;
    for (QWidget* field : {static_cast<QWidget*>(number), static_cast<QWidget*>(line),
                           static_cast<QWidget*>(box)}) {
      field->setFocus();
      QTest::keyClick(window.focusWidget(), Qt::Key_E, Qt::ControlModifier);
      QCOMPARE(pressed.count(), ++presses);
    }
    // Other keys stay with the field that claims them.
    line->setFocus();
    line->setCursorPosition(4);
    QTest::keyClick(line, Qt::Key_A, Qt::ControlModifier);
    QCOMPARE(otherPressed.count(), 0);
    QCOMPARE(line->selectedText(), QStringLiteral("text"));
  }
};

EQUIPATCH_TEST(tst_shortcut_guard)
#include "tst_shortcut_guard.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/tip_key.h"

#include <QComboBox>
#include <QLineEdit>
#include <QListWidget>
#include <QTest>
#include <QToolTip>
#include <QVBoxLayout>

#include "tests/support/test_case.h"
#include "tests/ui/support/quiet_platform.h"

using namespace equipatch;

class tst_tip_key : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void shiftF1ShowsTheTooltipOfWhatHasTheFocus() {
    const equipatch::test::QuietPlatform quiet;
    QWidget window;
    const TipKey tips(&window);
    auto* line = new QLineEdit;
    line->setToolTip(QStringLiteral("of the line"));
    auto* box = new QComboBox;
    box->setEditable(true);
    box->setToolTip(QStringLiteral("of the box"));
    auto* list = new QListWidget;
    list->setToolTip(QStringLiteral("of the list"));
    list->addItems({QStringLiteral("a"), QStringLiteral("b")});
    list->item(1)->setToolTip(QStringLiteral("of the row"));
    auto* none = new QLineEdit;
    auto* rows = new QVBoxLayout(&window);
    for (QWidget* field : std::initializer_list<QWidget*>{line, box, list, none})
      rows->addWidget(field);
    window.show();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    const auto shownFor = [&window](QWidget* field) {
      field->setFocus();
      QTest::keyClick(window.focusWidget(), Qt::Key_F1, Qt::ShiftModifier);
      return QToolTip::isVisible() ? QToolTip::text() : QString();
    };
    QCOMPARE(shownFor(line), QStringLiteral("of the line"));
    QCOMPARE(shownFor(box), QStringLiteral("of the box"));
    list->setCurrentRow(0);
    QCOMPARE(shownFor(list), QStringLiteral("of the list"));
    list->setCurrentRow(1);
    QCOMPARE(shownFor(list), QStringLiteral("of the row"));
    shownFor(none);  // hides it, perhaps after its fading
    QTRY_VERIFY(!QToolTip::isVisible());
  }
};

EQUIPATCH_TEST(tst_tip_key)
#include "tst_tip_key.moc"

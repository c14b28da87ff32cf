// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/runs_panel.h"

#include <QColorDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include "tests/support/test_case.h"
#include "tests/ui/runs/listed_runs.h"
#include "ui/runs/difference_dialog.h"

using namespace equipatch;

using equipatch::test::ListedRuns;

namespace {

void selectRows(const RunsPanel& panel, const std::vector<int>& rows) {
  panel.table()->clearSelection();
  for (const int row : rows)
    panel.table()->selectionModel()->select(
        panel.table()->model()->index(row, 0),
        QItemSelectionModel::Select | QItemSelectionModel::Rows);
}

}  // namespace

class tst_runs_panel : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void theRunOnDisplayIsSelected() {
    test::ListedRuns f;
    RunsPanel panel(f.list, f.theme);
    panel.resize(300, 200);
    panel.show();
    for (const char* name : {"a", "b", "c", "d", "e", "f", "g", "h"}) {
      f.run(name, 2);
      QCOMPARE(panel.selectedRows(), std::vector<int>{f.list.current()});
    }
    const QModelIndex last = panel.table()->model()->index(7, RunList::Name);
    QTRY_VERIFY(panel.table()->viewport()->rect().contains(
        panel.table()->visualRect(last).center()));
    // The user's selection stays while the same run is on display.
    panel.table()->selectRow(2);
    f.list.setColour(7, 3);
    QCOMPARE(panel.selectedRows(), std::vector<int>{2});
    f.run("a", 3);
    QCOMPARE(panel.selectedRows(), std::vector<int>{0});
  }

  void keysDisplayAndCloseTheSelectedRun() {
    ListedRuns f;
    f.run("a.eqrun", 3);
    f.run("b.eqrun", 3, Method::Direct);
    const RunsPanel panel(f.list, f.theme);
    const QSignalSpy requested(&panel, &RunsPanel::displayRequested);
    selectRows(panel, {0});
    QTest::keyClick(panel.table(), Qt::Key_Return);
    QCOMPARE(requested.count(), 1);
    QCOMPARE(requested.front().front().toInt(), 0);
    QTest::keyClick(panel.table(), Qt::Key_Delete);
    QCOMPARE(f.list.count(), 1);
    QCOMPARE(f.list.at(0).file.string(), "b.eqrun");
  }

  void returnEndsARenamingAndDisplaysNothing() {
    ListedRuns f;
    f.run("a.eqrun", 3);
    f.run("b.eqrun", 3, Method::Direct);
    RunsPanel panel(f.list, f.theme);
    panel.show();
    const QSignalSpy requested(&panel, &RunsPanel::displayRequested);
    panel.table()->selectRow(0);
    panel.table()->edit(panel.table()->model()->index(0, RunList::Name));
    auto* editor = panel.table()->viewport()->findChild<QLineEdit*>();
    QVERIFY(editor);
    editor->setText(QStringLiteral("mine"));
    QTest::keyClick(editor, Qt::Key_Return);
    QTRY_COMPARE(f.list.at(0).name, QStringLiteral("mine"));
    QCOMPARE(requested.count(), 0);
  }

  /// A click on a cell makes the cell's column the current one.
  void aKeyRenamesFromEveryColumn() {
    ListedRuns f;
    f.run("a.eqrun", 3);
    f.run("b.eqrun", 3, Method::Direct);
    RunsPanel panel(f.list, f.theme);
    panel.resize(600, 500);
    panel.show();
    panel.table()->setCurrentIndex(panel.table()->model()->index(0, RunList::Steps));
    QTest::keyClick(panel.table(), Qt::Key_F2);
    auto* editor = panel.table()->viewport()->findChild<QLineEdit*>();
    QVERIFY(editor);
    editor->setText(QStringLiteral("mine"));
    QTest::keyClick(editor, Qt::Key_Return);
    QTRY_COMPARE(f.list.at(0).name, QStringLiteral("mine"));
  }

  void aClickDisplaysARunButATickDoesNot() {
    ListedRuns f;
    f.run("a.eqrun", 3);
    f.run("b.eqrun", 3, Method::Direct);
    RunsPanel panel(f.list, f.theme);
    panel.resize(600, 500);
    panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    const QSignalSpy requested(&panel, &RunsPanel::displayRequested);
    const auto click = [&](int row, int column, Qt::KeyboardModifiers keys = {}) {
      const QRect cell =
          panel.table()->visualRect(panel.table()->model()->index(row, column));
      QTest::mouseClick(panel.table()->viewport(), Qt::LeftButton, keys, cell.center());
    };
    click(0, RunList::Steps);
    QCOMPARE(requested.count(), 1);
    QCOMPARE(requested.front().front().toInt(), 0);
    click(1, RunList::Steps);  // is on display already
    QCOMPARE(requested.count(), 1);
    click(0, RunList::Steps, Qt::ControlModifier);
    QCOMPARE(panel.selectedRows(), (std::vector<int>{0, 1}));
    QCOMPARE(requested.count(), 1);
    click(0, RunList::Steps, Qt::ControlModifier);
    QCOMPARE(panel.selectedRows(), std::vector<int>{1});
    QCOMPARE(requested.count(), 1);
    panel.table()->clearSelection();
    const QRect name =
        panel.table()->visualRect(panel.table()->model()->index(0, RunList::Name));
    QTest::mouseClick(panel.table()->viewport(), Qt::LeftButton, {},
                      QPoint(name.left() + 9, name.center().y()));
    QVERIFY(!f.list.at(0).shown);  // the click was on the check box
    QCOMPARE(requested.count(), 1);
  }

  /// Sorting reorders the table, not the list of runs behind it.
  void aHeaderSortsTheRows() {
    ListedRuns f;
    f.run("a.eqrun", 4, Method::Balanced, 2);  // half of its steps match
    f.run("b.eqrun", 10, Method::Direct);
    f.run("c.eqrun", 9, Method::Stable, 3);
    RunsPanel panel(f.list, f.theme);
    const auto order = [&] {
      QStringList names;
      for (int row = 0; row < 3; ++row)
        names << panel.table()->model()->index(row, RunList::Name).data().toString();
      return names.join(u' ');
    };
    QHeaderView& header = *panel.table()->horizontalHeader();
    header.setSortIndicator(RunList::Steps, Qt::DescendingOrder);  // 10 before 9
    QCOMPARE(order(), QStringLiteral("direct stable balanced"));
    header.setSortIndicator(RunList::Matches, Qt::AscendingOrder);
    QCOMPARE(order(), QStringLiteral("balanced stable direct"));
    QCOMPARE(f.list.at(0).file.string(), "a.eqrun");
    panel.table()->selectRow(1);
    QCOMPARE(panel.selectedRows(), std::vector<int>{2});
    const QSignalSpy requested(&panel, &RunsPanel::displayRequested);
    QTest::keyClick(panel.table(), Qt::Key_Return);
    QCOMPARE(requested.front().front().toInt(), 2);
    f.run("d.eqrun", 1);
    QCOMPARE(panel.selectedRows(), std::vector<int>{3});  // d.eqrun is on display
    header.setSortIndicator(-1, Qt::AscendingOrder);
    QCOMPARE(order(), QStringLiteral("balanced #1 direct stable"));
  }

  void spaceTicksAllSelectedRuns() {
    ListedRuns f;
    for (int i = 0; i < 3; ++i) f.run("run" + std::to_string(i), 2);
    RunsPanel panel(f.list, f.theme);
    selectRows(panel, {0, 2});
    QTest::keyClick(panel.table(), Qt::Key_Space);
    QCOMPARE(f.list.shownRows(), std::vector<int>{1});
    QCOMPARE(panel.selectedRows(), (std::vector<int>{0, 2}));
    QTest::keyClick(panel.table(), Qt::Key_Space);
    QCOMPARE(f.list.shownRows(), (std::vector<int>{0, 1, 2}));
  }

  void namesHaveRoomInANarrowPanel() {
    ListedRuns f;
    f.run("a.eqrun", 3);
    RunsPanel panel(f.list, f.theme);
    panel.resize(600, 500);
    panel.show();
    QTRY_VERIFY(!panel.table()->isColumnHidden(RunList::Steps));
    panel.resize(panel.minimumSizeHint().width(), 500);
    QTRY_VERIFY(panel.table()->isColumnHidden(RunList::Steps));
    QVERIFY(panel.table()->isColumnHidden(RunList::Worth));
    const QVariant tip = f.list.index(0, RunList::Name).data(Qt::ToolTipRole);
    QVERIFY(tip.toString().contains(QStringLiteral("3 steps")));
    QVERIFY2(panel.minimumSizeHint().width() < 200, "the buttons go into several rows");
    panel.resize(600, 500);
    QTRY_VERIFY(!panel.table()->isColumnHidden(RunList::Steps));
  }

  void closesTheSelectedRunsTogether() {
    ListedRuns f;
    for (int i = 0; i < 4; ++i) f.run("run" + std::to_string(i), 2);
    RunsPanel panel(f.list, f.theme);
    selectRows(panel, {0, 2});
    panel.closeSelected();
    QCOMPARE(f.list.count(), 2);
    QCOMPARE(f.list.at(0).file.string(), "run1");
    QCOMPARE(f.list.at(1).file.string(), "run3");
    f.list.reopen();  // reopens both: they were closed together
    QCOMPARE(f.list.count(), 4);
    QCOMPARE(f.list.at(2).file.string(), "run0");
    QVERIFY(!f.list.canReopen());
  }

  void theMenuChangesARunsColour() {
    ListedRuns f;
    f.run("a.eqrun", 3);
    RunsPanel panel(f.list, f.theme);
    panel.table()->clearSelection();
    QMenu none;
    panel.fillMenu(none);
    QVERIFY(none.isEmpty());
    selectRows(panel, {0});
    QMenu menu;
    panel.fillMenu(menu);
    const auto* colours = menu.findChild<QMenu*>();
    QVERIFY(colours);
    QCOMPARE(colours->actions().size(), kRunStyles + 2);  // a separator, "another"
    QCOMPARE(colours->actions().at(7)->text(), QStringLiteral("orange, dotted"));
    colours->actions().at(5)->trigger();
    QCOMPARE(f.list.at(0).colour, 5);
    colours->actions().last()->trigger();
    auto* dialog = panel.findChild<QColorDialog*>(QStringLiteral("runColour"));
    QVERIFY(dialog);
    Q_EMIT dialog->colorSelected(QColor(1, 2, 3));
    QCOMPARE(f.list.at(0).ownColour(), std::string("#010203"));
  }

  /// For example, the run is continued while the user chooses its colour.
  void aRestartedRunGetsTheChosenColour() {
    ListedRuns f;
    f.run("a.eqrun", 3);
    RunsPanel panel(f.list, f.theme);
    selectRows(panel, {0});
    QMenu menu;
    panel.fillMenu(menu);
    const auto* colours = menu.findChild<QMenu*>();
    QVERIFY(colours);
    colours->actions().last()->trigger();
    auto* dialog = panel.findChild<QColorDialog*>(QStringLiteral("runColour"));
    QVERIFY(dialog);
    f.run("a.eqrun", 4);
    QCOMPARE(f.list.count(), 1);
    Q_EMIT dialog->colorSelected(QColor(1, 2, 3));
    QCOMPARE(f.list.at(0).ownColour(), std::string("#010203"));
  }

  void theMenuActsOnTheClickedRun() {
    ListedRuns f;
    for (const char* file : {"a.eqrun", "b.eqrun", "c.eqrun"}) f.run(file, 3);
    RunsPanel panel(f.list, f.theme);
    selectRows(panel, {0, 2});
    auto* table = panel.findChild<QTableView*>();
    table->selectionModel()->setCurrentIndex(table->model()->index(2, 0),
                                             QItemSelectionModel::NoUpdate);
    QMenu menu;
    panel.fillMenu(menu);
    const QSignalSpy displayed(&panel, &RunsPanel::displayRequested);
    menu.actions().first()->trigger();
    QCOMPARE(displayed.value(0).value(0).toInt(), 2);
    QTest::keyClick(table, Qt::Key_Return);
    QCOMPARE(displayed.value(1).value(0).toInt(), 2);
  }

  /// For example, the next run of a grid begins while the menu is open.
  void theMenuActsOnRunsSelectedWhenItOpened() {
    ListedRuns f;
    f.run("a.eqrun", 3);
    f.run("b.eqrun", 3, Method::Direct);
    RunsPanel panel(f.list, f.theme);
    selectRows(panel, {0, 1});
    QMenu menu;
    panel.fillMenu(menu);
    f.run("c.eqrun", 3, Method::Stable);
    QCOMPARE(panel.selectedRows(), std::vector<int>{2});
    for (const QString& text : {QStringLiteral("Compare"), QStringLiteral("C&lose")})
      for (QAction* action : menu.actions())
        if (action->text().startsWith(text)) action->trigger();
    const auto* dialog = panel.findChild<DifferenceDialog*>();
    QVERIFY(dialog);
    QCOMPARE(dialog->chooser(0)->currentText(), QStringLiteral("balanced"));
    QCOMPARE(dialog->chooser(1)->currentText(), QStringLiteral("direct"));
    QCOMPARE(f.list.count(), 1);
    QCOMPARE(f.list.at(0).file.string(), "c.eqrun");
  }

  void tickOnlyTheseTicksTheSelectedRuns() {
    ListedRuns f;
    for (const char* name : {"a.eqrun", "b.eqrun", "c.eqrun"}) f.run(name, 2);
    RunsPanel panel(f.list, f.theme);
    selectRows(panel, {0, 2});
    QMenu menu;
    panel.fillMenu(menu);
    for (QAction* action : menu.actions())
      if (action->text() == QStringLiteral("Tick &only these")) action->trigger();
    QCOMPARE(f.list.shownRows(), (std::vector<int>{0, 2}));
  }

  void namesRunsThatChartsDrawAlike() {
    ListedRuns f;
    f.run("a.eqrun", 3);
    f.run("b.eqrun", 3, Method::Direct);
    const RunsPanel panel(f.list, f.theme);
    const auto* note = panel.findChild<QLabel*>(QStringLiteral("alikeRuns"));
    QVERIFY(!note->isVisibleTo(&panel));
    f.list.setColour(1, f.list.at(0).colour);
    QVERIFY(note->isVisibleTo(&panel));
    QVERIFY2(
        note->text().contains(QStringLiteral("alike in charts: balanced and direct.")),
        qPrintable(note->text()));
    f.run("c.eqrun", 3, Method::Stable);
    f.run("d.eqrun", 4, Method::Stable);
    f.list.setColour(3, f.list.at(2).colour);
    QVERIFY2(note->text().contains(QStringLiteral("direct; and 1 more")),
             qPrintable(note->text()));
    QVERIFY(note->toolTip().contains(f.list.at(3).name));
    f.list.close({2, 3});
    f.list.setOwnColour(1, Qt::black);
    QVERIFY(!note->isVisibleTo(&panel));
  }

  void clickingTheChartSelectsARunInTheTable() {
    ListedRuns f;
    f.run("a.eqrun", 3);
    f.run("b.eqrun", 3);
    const RunsPanel panel(f.list, f.theme);
    const QSignalSpy requested(&panel, &RunsPanel::displayRequested);
    Q_EMIT panel.findChild<AccuracyChart*>()->clicked(1e-3, 1.0);
    QCOMPARE(panel.selectedRows(), std::vector<int>{1});
    QCOMPARE(requested.count(), 0);
    Q_EMIT panel.findChild<AccuracyChart*>()->clicked(1e-3, 0.0);
    QCOMPARE(panel.selectedRows(), std::vector<int>{0});
    QCOMPARE(requested.count(), 1);
    QCOMPARE(requested.front().front().toInt(), 0);
  }

  void theTwoSelectedRunsAreCompared() {
    ListedRuns f;
    f.run("a.eqrun", 3);
    RunsPanel panel(f.list, f.theme);
    const QSignalSpy failed(&panel, &RunsPanel::failed);
    panel.compareSteps();
    QCOMPARE(failed.count(), 1);
    f.run("b.eqrun", 3, Method::Direct);
    f.run("c.eqrun", 3, Method::Stable);
    selectRows(panel, {0, 1});
    panel.compareSteps();
    const auto* dialog = panel.findChild<DifferenceDialog*>();
    QVERIFY(dialog);
    QCOMPARE(dialog->chooser(0)->currentText(), QStringLiteral("balanced"));
    QCOMPARE(dialog->chooser(1)->currentText(), QStringLiteral("direct"));
  }
};

EQUIPATCH_TEST(tst_runs_panel)
#include "tst_runs_panel.moc"

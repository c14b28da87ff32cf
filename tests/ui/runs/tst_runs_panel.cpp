// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/runs_panel.h"

#include <QMenu>
#include <QSignalSpy>
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
  void keysPutOnDisplayAndClose() {
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

  void closesWhatIsSelected() {
    ListedRuns f;
    for (int i = 0; i < 4; ++i) f.run("run" + std::to_string(i), 2);
    RunsPanel panel(f.list, f.theme);
    selectRows(panel, {0, 2});
    panel.closeSelected();
    QCOMPARE(f.list.count(), 2);
    QCOMPARE(f.list.at(0).file.string(), "run1");
    QCOMPARE(f.list.at(1).file.string(), "run3");
  }

  void theMenuRecolours() {
    ListedRuns f;
    f.run("a.eqrun", 3);
    RunsPanel panel(f.list, f.theme);
    QMenu none;
    panel.fillMenu(none);
    QVERIFY(none.isEmpty());
    selectRows(panel, {0});
    QMenu menu;
    panel.fillMenu(menu);
    const auto* colours = menu.findChild<QMenu*>();
    QVERIFY(colours);
    QCOMPARE(colours->actions().size(), 6);
    colours->actions().at(5)->trigger();
    QCOMPARE(f.list.at(0).colour, 5);
  }

  void theChartSelectsInTheTable() {
    ListedRuns f;
    f.run("a.eqrun", 3);
    f.run("b.eqrun", 3);
    const RunsPanel panel(f.list, f.theme);
    Q_EMIT panel.findChild<AccuracyChart*>()->clicked(1e-3, 1.0);
    QCOMPARE(panel.selectedRows(), std::vector<int>{1});
  }

  void comparesTheTwoSelected() {
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
    QVERIFY2(dialog->summary().startsWith(QStringLiteral("A is balanced, B is direct.")),
             qPrintable(dialog->summary()));
  }
};

EQUIPATCH_TEST(tst_runs_panel)
#include "tst_runs_panel.moc"

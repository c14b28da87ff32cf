// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/runs_panel.h"

#include <QColorDialog>
#include <QLabel>
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
    const QModelIndex last = f.list.index(7, RunList::Name);
    QTRY_VERIFY(panel.table()->viewport()->rect().contains(
        panel.table()->visualRect(last).center()));
    // A selection of the user stays while the same run is on display.
    panel.table()->selectRow(2);
    f.list.setColour(7, 3);
    QCOMPARE(panel.selectedRows(), std::vector<int>{2});
    f.run("a", 3);  // again
    QCOMPARE(panel.selectedRows(), std::vector<int>{0});
  }

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

  void aClickDisplaysAndATickDoesNot() {
    ListedRuns f;
    f.run("a.eqrun", 3);
    f.run("b.eqrun", 3, Method::Direct);
    RunsPanel panel(f.list, f.theme);
    panel.resize(400, 500);
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
    panel.table()->clearSelection();
    const QRect name =
        panel.table()->visualRect(panel.table()->model()->index(0, RunList::Name));
    QTest::mouseClick(panel.table()->viewport(), Qt::LeftButton, {},
                      QPoint(name.left() + 9, name.center().y()));
    QVERIFY(!f.list.at(0).shown);  // the click went into the box
    QCOMPARE(requested.count(), 1);
  }

  /// A narrow panel gives the column of steps to the names; the tooltip has them.
  void namesHaveRoomInANarrowPanel() {
    ListedRuns f;
    f.run("a.eqrun", 3);
    RunsPanel panel(f.list, f.theme);
    panel.resize(400, 500);
    panel.show();
    QTRY_VERIFY(!panel.table()->isColumnHidden(RunList::Steps));
    panel.resize(panel.minimumSizeHint().width(), 500);
    QTRY_VERIFY(panel.table()->isColumnHidden(RunList::Steps));
    const QVariant tip = f.list.index(0, RunList::Name).data(Qt::ToolTipRole);
    QVERIFY(tip.toString().contains(QStringLiteral("3 steps")));
    QVERIFY2(panel.minimumSizeHint().width() < 200, "the buttons go into several rows");
    panel.resize(400, 500);
    QTRY_VERIFY(!panel.table()->isColumnHidden(RunList::Steps));
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
    f.list.reopen();  // those that were closed together
    QCOMPARE(f.list.count(), 4);
    QCOMPARE(f.list.at(2).file.string(), "run0");
    QVERIFY(!f.list.canReopen());
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

  void theMenuIsOfTheClickedRun() {
    ListedRuns f;
    for (const char* file : {"a.eqrun", "b.eqrun", "c.eqrun"}) f.run(file, 3);
    RunsPanel panel(f.list, f.theme);
    selectRows(panel, {0, 2});
    auto* table = panel.findChild<QTableView*>();
    table->selectionModel()->setCurrentIndex(f.list.index(2, 0),
                                             QItemSelectionModel::NoUpdate);
    QMenu menu;
    panel.fillMenu(menu);
    const QSignalSpy displayed(&panel, &RunsPanel::displayRequested);
    menu.actions().first()->trigger();
    QCOMPARE(displayed.value(0).value(0).toInt(), 2);
  }

  void ticksOnlyTheSelected() {
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

  void saysWhichRunsLookAlike() {
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

  void theChartSelectsInTheTable() {
    ListedRuns f;
    f.run("a.eqrun", 3);
    f.run("b.eqrun", 3);
    const RunsPanel panel(f.list, f.theme);
    const QSignalSpy requested(&panel, &RunsPanel::displayRequested);
    Q_EMIT panel.findChild<AccuracyChart*>()->clicked(1e-3, 1.0);
    QCOMPARE(panel.selectedRows(), std::vector<int>{1});
    QCOMPARE(requested.count(), 0);  // it is on display
    Q_EMIT panel.findChild<AccuracyChart*>()->clicked(1e-3, 0.0);
    QCOMPARE(panel.selectedRows(), std::vector<int>{0});
    QCOMPARE(requested.value(0).value(0).toInt(), 0);
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
    QCOMPARE(dialog->chooser(0)->currentText(), QStringLiteral("balanced"));
    QCOMPARE(dialog->chooser(1)->currentText(), QStringLiteral("direct"));
  }

 private Q_SLOTS:
  void aBoxForEachRunShown() {
    ListedRuns f;
    const AccuracyChart chart(f.list, f.theme);
    QVERIFY(!chart.isDataVisible());
    f.run("a.eqrun", 8, Method::Balanced, 4);
    f.run("b.eqrun", 9, Method::Direct);
    QCOMPARE(chart.rows().boxes().size(), 2);
    QCOMPARE(chart.rows().share(0), QStringLiteral("75.0 % equal"));
    QCOMPARE(chart.rows().share(1), QStringLiteral("100 % equal"));
    QCOMPARE(chart.panel().boxes[1].name, std::string("direct"));
    f.list.setShown(0, false);
    QCOMPARE(chart.rows().boxes().size(), 1);
    QCOMPARE(chart.rows().share(0), QStringLiteral("100 % equal"));
  }

  void boxesAreTheStepsQuantiles() {
    ListedRuns f;
    const AccuracyChart chart(f.list, f.theme);
    f.run("a.eqrun", 5);
    std::vector<double> linf;
    for (const RunModel::Record& step : f.model.records())
      linf.push_back(step->patchedDistance.linf);
    std::ranges::sort(linf);
    const QCPStatisticalBoxData data = *chart.rows().boxes()[0]->data()->constBegin();
    QCOMPARE(data.median, linf[2]);
    QCOMPARE(data.lowerQuartile, linf[1]);
    QCOMPARE(data.upperQuartile, linf[3]);
    QCOMPARE(data.outliers, (QVector<double>{linf[0], linf[4]}));
  }

  void everyBoxIsInView() {
    ListedRuns f;
    const AccuracyChart chart(f.list, f.theme);
    f.run("a.eqrun", 8);
    f.run("b.eqrun", 8, Method::Direct);
    const QCPRange values = chart.plot().xAxis->range();
    for (const QCPStatisticalBox* box : chart.rows().boxes()) {
      const QCPStatisticalBoxData data = *box->data()->constBegin();
      QVERIFY(values.contains(data.minimum) && values.contains(data.outliers.front()));
      QVERIFY(chart.plot().yAxis->range().contains(data.key));
    }
  }

  void readsAsATableAndByTooltips() {
    ListedRuns f;
    AccuracyChart chart(f.list, f.theme);
    f.run("a.eqrun", 8, Method::Balanced, 4);
    f.run("b.eqrun", 9, Method::Direct);
    chart.showTable(true);
    const QStringList lines = chart.table().copiedText().split(u'\n');
    QVERIFY2(lines[0].startsWith(QStringLiteral("run\tsmallest\t5 %")),
             qPrintable(lines[0]));
    QVERIFY2(lines[2].startsWith(QStringLiteral("direct\t")), qPrintable(lines[2]));
    QVERIFY2(lines[1].endsWith(QStringLiteral("\t75")), qPrintable(lines[1]));
    const QString tip = chart.describe(1e-3, 1.1);
    QVERIFY2(tip.startsWith(QStringLiteral("direct\nsmallest ")), qPrintable(tip));
    QVERIFY2(tip.contains(QStringLiteral("\nequal tokens, % 100")), qPrintable(tip));
    QVERIFY(chart.describe(1e-3, 1.7).isEmpty());
  }

  void aClickPicksTheRun() {
    ListedRuns f;
    AccuracyChart chart(f.list, f.theme);
    f.run("a.eqrun", 3);
    f.run("b.eqrun", 3);
    f.run("c.eqrun", 3);
    f.list.setShown(0, false);
    const QSignalSpy picked(&chart, &AccuracyChart::runPicked);
    Q_EMIT chart.clicked(1e-3, 1.2);
    Q_EMIT chart.clicked(1e-3, 2.4);
    QCOMPARE(picked.count(), 1);
    QCOMPARE(picked[0][0].toInt(), 2);
  }

  /// The bare passes' divergences rank what the runs absorb.
  void theBarePassRanksTheRuns() {
    ListedRuns f;
    AccuracyChart chart(f.list, f.theme);
    f.run("a.eqrun", 4);
    f.run("b.eqrun", 4, Method::Direct);
    chart.findChild<QComboBox*>(QStringLiteral("comparedQuantity"))->setCurrentIndex(1);
    const auto& boxes = chart.panel().boxes;
    QCOMPARE(boxes.size(), std::size_t{2});
    QVERIFY(boxes[0].median >= boxes[1].median);
    for (const FigureBox& box : boxes) {
      const ListedRun& run = f.list.at(box.name == "direct" ? 1 : 0);
      QCOMPARE(box.median, effectBoxOf(run.steps).median);
      QVERIFY(box.median > 0.0);
    }
    const QSignalSpy picked(&chart, &AccuracyChart::runPicked);
    Q_EMIT chart.clicked(1e-3, 0.0);
    QCOMPARE(f.list.at(picked[0][0].toInt()).name.toStdString(), boxes[0].name);
  }

  void runsWithoutABarePassAreNotRanked() {
    ListedRuns f;
    AccuracyChart chart(f.list, f.theme);
    f.file = "a.eqrun";
    f.model.begin(test::makeHeader());
    auto record = std::make_shared<StepRecord>(*test::makeRecord(0));
    record->bareDistance.reset();
    f.model.append({record});
    auto* quantity = chart.findChild<QComboBox*>(QStringLiteral("comparedQuantity"));
    quantity->setCurrentIndex(1);
    QVERIFY(!chart.isDataVisible() && quantity->isVisibleTo(&chart));
    const auto labels = chart.findChildren<QLabel*>();
    QVERIFY(std::ranges::any_of(labels, [](const QLabel* label) {
      return label->text() == QStringLiteral("No ticked run has a bare pass.");
    }));
    quantity->setCurrentIndex(0);
    QVERIFY(chart.isDataVisible());
    QCOMPARE(chart.panel().boxes.size(), std::size_t{1});
  }

  void colourAndTypeFollowTheWindow() {
    ListedRuns f;
    f.theme.setMode(Theme::Mode::Light);
    AccuracyChart chart(f.list, f.theme);
    f.run("a.eqrun", 3);
    const QColor light = chart.rows().boxes()[0]->pen().color();
    f.theme.setMode(Theme::Mode::Dark);
    QCOMPARE(chart.rows().boxes()[0]->pen().color(), f.theme.colours().series[0]);
    QVERIFY(chart.rows().boxes()[0]->pen().color() != light);
  }
};

EQUIPATCH_TEST(tst_runs_panel)
#include "tst_runs_panel.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/chart_table.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QGuiApplication>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <cmath>

#include "tests/support/test_case.h"
#include "ui/chart/chart_view.h"

using namespace equipatch;

namespace {

TableData threeRows() {
  return {{"step", "L∞"}, {{0.0, 1.0 / 3.0}, {1.0, NAN}, {2.0, 1e-7}}};
}

}  // namespace

class tst_chart_table : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void numbersAreShownRoundedAndCopiedInFull();
  void copiesARectangle();
  void addedRowsDoNotResetTheModel();
  void otherColumnsResetTheModel();
  void copiesEverythingOrWhatIsSelected();
  void theCopyShortcutCopiesTheTable();
  void longTitlesAreShortenedOnTheScreenOnly();
  void theTableFollowsTheMarkerAndPicksRows();
};

void tst_chart_table::longTitlesAreShortenedOnTheScreenOnly() {
  const QString lamp = QStringLiteral(
      "bfloat16 balanced closed absorbs “Tom gives the lamp to Ida.” of “Tom has a "
      "lamp.”");
  QString coin = lamp;
  coin.replace(QStringLiteral("gives the lamp"), QStringLiteral("gives the coin"));
  ChartTableModel model;
  model.setTable({{"step", lamp, coin}, {{0.0, 1.0, 2.0}}});
  const auto title = [&](int column, int role = Qt::DisplayRole) {
    return model.headerData(column, Qt::Horizontal, role).toString();
  };
  QCOMPARE(title(0), QStringLiteral("step"));
  QVERIFY2(title(1).size() < 36, qPrintable(title(1)));
  QVERIFY2(title(1) != title(2), qPrintable(title(1)));
  QCOMPARE(title(1, Qt::ToolTipRole), lamp);
  QVERIFY(model.text(0, 0, 0, 1).contains(lamp));
}

void tst_chart_table::numbersAreShownRoundedAndCopiedInFull() {
  ChartTableModel model;
  model.setTable(threeRows());
  QCOMPARE(model.index(0, 1).data().toString(), QStringLiteral("0.333"));
  QVERIFY(!model.index(1, 1).data().isValid());
  QCOMPARE(model.headerData(1, Qt::Horizontal, Qt::DisplayRole).toString(),
           QStringLiteral("L∞"));
  const QString text = model.text(0, 2, 0, 1);
  QCOMPARE(text, QStringLiteral("step\tL∞\n0\t0.3333333333333333\n1\t\n2\t1e-07\n"));
  QCOMPARE(text.split(u'\n')[1].split(u'\t')[1].toDouble(), 1.0 / 3.0);
}

void tst_chart_table::copiesARectangle() {
  ChartTableModel model;
  model.setTable(threeRows());
  QCOMPARE(model.text(1, 2, 0, 0), QStringLiteral("step\n1\n2\n"));
}

void tst_chart_table::addedRowsDoNotResetTheModel() {
  ChartTableModel model;
  const QAbstractItemModelTester tester(
      &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
  model.setTable(threeRows());
  QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
  const QPersistentModelIndex kept = model.index(2, 0);
  TableData more = threeRows();
  more.rows.push_back({3.0, 4.0});
  model.setTable(more);
  QCOMPARE(reset.count(), 0);
  QVERIFY(kept.isValid());
  QCOMPARE(model.rowCount(), 4);
  QCOMPARE(model.index(3, 1).data().toString(), QStringLiteral("4"));
}

void tst_chart_table::otherColumnsResetTheModel() {
  ChartTableModel model;
  model.setTable(threeRows());
  QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
  model.setTable({{"layer"}, {{0.0}, {1.0}, {2.0}}});
  QCOMPARE(reset.count(), 1);
  QCOMPARE(model.columnCount(), 1);
  model.setTable({{"layer"}, {}});
  QCOMPARE(model.rowCount(), 0);
  QCOMPARE(model.text(0, -1, 0, 0), QStringLiteral("layer\n"));
}

void tst_chart_table::copiesEverythingOrWhatIsSelected() {
  ChartTable table;
  table.setTable({{"a", "b"}, {{1, 2}, {3, 4}, {5, 6}}});
  QCOMPARE(table.copiedText(), QStringLiteral("a\tb\n1\t2\n3\t4\n5\t6\n"));
  table.selectionModel()->select(
      QItemSelection(table.model()->index(1, 1), table.model()->index(2, 1)),
      QItemSelectionModel::ClearAndSelect);
  QCOMPARE(table.copiedText(), QStringLiteral("b\n4\n6\n"));
}

void tst_chart_table::theCopyShortcutCopiesTheTable() {
  ChartTable table;
  table.setTable({{"a"}, {{1}}});
  QTest::keySequence(&table, QKeySequence::Copy);
  QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("a\n1\n"));
}

void tst_chart_table::theTableFollowsTheMarkerAndPicksRows() {
  const Theme theme;
  ChartView view({}, theme);
  FigurePanel panel;
  panel.x = {.label = "step", .counts = true};
  panel.curves = {{.name = "a", .x = {0, 1, 2}, .y = {0.5, 0.25, 0.125}}};
  panel.tokens = {"a", "b", "c"};
  view.setPanel(panel);
  view.setDataVisible(true);
  view.setMarker(2);
  view.showTable(true);
  const ChartTableModel& numbers = view.table().numbers();
  QCOMPARE(numbers.headerData(1, Qt::Horizontal, Qt::DisplayRole),
           QStringLiteral("token"));
  QCOMPARE(numbers.index(2, 1).data(), QStringLiteral("c"));
  QCOMPARE(view.table().currentIndex().row(), 2);
  QVERIFY(numbers.index(2, 0).data(Qt::BackgroundRole).isValid());
  QVERIFY(!numbers.index(0, 0).data(Qt::BackgroundRole).isValid());
  const QSignalSpy picked(&view, &ChartView::rowPicked);
  view.setMarker(1);
  QCOMPARE(view.table().currentIndex().row(), 1);
  QCOMPARE(picked.size(), 0);
  auto* table = view.findChild<QTableView*>();
  table->setCurrentIndex(table->model()->index(0, 0));
  QCOMPARE(picked.size(), 1);
  QCOMPARE(picked[0][0].toDouble(), 0.0);
}

EQUIPATCH_TEST(tst_chart_table)
#include "tst_chart_table.moc"

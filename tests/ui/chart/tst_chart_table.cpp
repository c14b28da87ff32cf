#include "ui/chart/chart_table.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QTest>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_chart_table : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void copiesEverythingOrWhatIsSelected();
  void theKeyboardCopies();
};

void tst_chart_table::copiesEverythingOrWhatIsSelected() {
  ChartTable table;
  table.setTable({{"a", "b"}, {{1, 2}, {3, 4}, {5, 6}}});
  QCOMPARE(table.copiedText(), QStringLiteral("a\tb\n1\t2\n3\t4\n5\t6\n"));
  table.selectionModel()->select(
      QItemSelection(table.model()->index(1, 1), table.model()->index(2, 1)),
      QItemSelectionModel::ClearAndSelect);
  QCOMPARE(table.copiedText(), QStringLiteral("b\n4\n6\n"));
}

void tst_chart_table::theKeyboardCopies() {
  ChartTable table;
  table.setTable({{"a"}, {{1}}});
  QTest::keySequence(&table, QKeySequence::Copy);
  QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("a\n1\n"));
}

EQUIPATCH_TEST(tst_chart_table)
#include "tst_chart_table.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_name_delegate.h"

#include <QTableView>

#include "tests/support/test_case.h"
#include "tests/ui/runs/listed_runs.h"
#include "ui/runs/runs_panel.h"

using namespace equipatch;

/// Long names take a few lines and keep what tells them apart.
class tst_run_name_delegate : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void longNamesTakeAFewLines() {
    test::ListedRuns f;
    const QString shared =
        QStringLiteral(" of “Tom has a lamp. Ida has a coin. Tom goes.”");
    for (const char* name : {"a.eqrun", "b.eqrun", "c.eqrun"}) f.run(name, 3);
    const QStringList names{QStringLiteral("direct open absorbs “Tom”") + shared,
                            QStringLiteral("direct open absorbs “Ida”") + shared,
                            QStringLiteral("short")};
    for (int row = 0; row < 3; ++row)
      f.list.setData(f.list.index(row, RunList::Name), names[row], Qt::EditRole);
    RunsPanel panel(f.list, f.theme);
    panel.resize(300, 600);
    panel.show();
    const int line = panel.table()->fontMetrics().lineSpacing();
    QTRY_VERIFY(panel.table()->rowHeight(0) > panel.table()->rowHeight(2));
    QVERIFY(panel.table()->rowHeight(0) < 4 * line);
    const Exposed delegate(panel.table());
    for (int row = 0; row < 3; ++row) {
      const QString shown = delegate.text(panel.table()->model()->index(row, 0), 150);
      QVERIFY2(shown.count(QChar::LineSeparator) < 3, qPrintable(shown));
      if (row < 2)
        QVERIFY2(
            shown.contains(row == 0 ? QStringLiteral("“Tom”") : QStringLiteral("“Ida”")),
            qPrintable(shown));
      else
        QCOMPARE(shown, names[2]);
    }
  }

  /// Columns that leave too little room for the names are hidden.
  void wordsStayWholeInNarrowPanels() {
    test::ListedRuns f;
    StepRecord record = *test::makeRecord(0);
    record.patchedDistance.linf = 9.54e-7;  // a wide number
    f.file = "a.eqrun";
    f.model.begin(test::makeHeader());
    f.model.append({std::make_shared<const StepRecord>(record)});
    QCOMPARE(f.text(0, RunList::Median), QStringLiteral("9.54×10⁻⁷"));
    f.list.setData(f.list.index(0, RunList::Name),
                   QStringLiteral("bfloat16 balanced closed"), Qt::EditRole);
    RunsPanel panel(f.list, f.theme);
    panel.show();
    const Exposed delegate(panel.table());
    for (int width = panel.minimumSizeHint().width(); width < 600; width += 10) {
      panel.resize(width, 600);
      const auto shown = [&] {
        return delegate.text(panel.table()->model()->index(0, RunList::Name),
                             panel.table()->columnWidth(RunList::Name));
      };
      QTRY_VERIFY2(shown().contains(QStringLiteral("bfloat16")),
                   qPrintable(QString::number(width) + u' ' + shown()));
    }
  }

 private:
  struct Exposed : RunNameDelegate {
    explicit Exposed(QTableView* view) : m_view(view) {}
    QString text(const QModelIndex& index, int width) const {
      QStyleOptionViewItem option;
      option.initFrom(m_view);
      option.widget = m_view;
      option.rect = QRect(0, 0, width, 40);
      option.decorationSize = m_view->iconSize();
      initStyleOption(&option, index);
      return option.text;
    }
    QTableView* m_view;
  };
};

EQUIPATCH_TEST(tst_run_name_delegate)
#include "tst_run_name_delegate.moc"

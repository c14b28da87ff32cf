// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/accuracy_chart.h"

#include "tests/support/test_case.h"
#include "tests/ui/runs/listed_runs.h"

using namespace equipatch;
using equipatch::test::ListedRuns;

class tst_accuracy_chart : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void aBoxForEachRunShown() {
    ListedRuns f;
    const AccuracyChart chart(f.list, f.theme);
    QVERIFY(!chart.isDataVisible());
    f.run("a.eqrun", 8, Method::Balanced, 4);
    f.run("b.eqrun", 9, Method::Direct);
    QCOMPARE(chart.boxCount(), 2);
    QCOMPARE(chart.share(0), QStringLiteral("75.0 %"));
    QCOMPARE(chart.share(1), QStringLiteral("100 %"));
    QCOMPARE(chart.name(1), QStringLiteral("direct"));
    f.list.setData(f.list.index(0, 0), Qt::Unchecked, Qt::CheckStateRole);
    QCOMPARE(chart.boxCount(), 1);
    QCOMPARE(chart.share(0), QStringLiteral("100 %"));
  }

  void boxesAreTheStepsQuantiles() {
    ListedRuns f;
    const AccuracyChart chart(f.list, f.theme);
    f.run("a.eqrun", 5);
    std::vector<double> linf;
    for (const RunModel::Record& step : f.model.records())
      linf.push_back(step->patchedDistance.linf);
    std::ranges::sort(linf);
    const QCPStatisticalBoxData data = *chart.box(0)->data()->constBegin();
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
    for (int i = 0; i < chart.boxCount(); ++i) {
      const QCPStatisticalBoxData data = *chart.box(i)->data()->constBegin();
      QVERIFY(values.contains(data.minimum) && values.contains(data.outliers.front()));
      QVERIFY(chart.plot().yAxis->range().contains(data.key));
    }
  }

  void readsAsATable() {
    ListedRuns f;
    AccuracyChart chart(f.list, f.theme);
    f.run("a.eqrun", 8, Method::Balanced, 4);
    chart.showTable(true);
    const QString text = chart.table().copiedText();
    QVERIFY2(text.contains(QStringLiteral("equal, %")), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("75")), qPrintable(text));
  }
};

EQUIPATCH_TEST(tst_accuracy_chart)
#include "tst_accuracy_chart.moc"

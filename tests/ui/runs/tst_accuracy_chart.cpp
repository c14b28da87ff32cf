// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/accuracy_chart.h"

#include <QComboBox>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>

#include "tests/support/test_case.h"
#include "tests/ui/runs/listed_runs.h"
#include "tests/ui/support/scratch_settings.h"
#include "ui/chart/number_text.h"

using namespace equipatch;

using equipatch::test::ListedRuns;

class tst_accuracy_chart : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void everyTickedRunHasABox() {
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

  void theComparedQuantityIsRemembered() {
    const test::ScratchSettings settings;
    ListedRuns f;
    {
      const AccuracyChart chart(f.list, f.theme);
      auto* box = chart.findChild<QComboBox*>(QStringLiteral("comparedQuantity"));
      box->setCurrentIndex(1);
      Q_EMIT box->textActivated(box->currentText());
    }
    f.run("a.eqrun", 5);
    const std::string bare = "KL of the bare pass, nats";
    QCOMPARE(AccuracyChart(f.list, f.theme).panel().x.label, bare);
    // The name that earlier versions stored.
    QSettings().setValue(QStringLiteral("runs/compared"),
                         QStringLiteral("bare: largest KL"));
    QCOMPARE(AccuracyChart(f.list, f.theme).panel().x.label, bare);
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

  void tableAndTooltipsHoldTheBoxesValues() {
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

  void runsAreRankedByTheKLOfTheBarePass() {
    ListedRuns f;
    AccuracyChart chart(f.list, f.theme);
    const double usual = test::makeRecord(0)->bareDistance->kl;
    for (const auto& [file, kl] :
         {std::pair("a.eqrun", usual), {"b.eqrun", 2.0 * usual}}) {
      f.run(file, 0);
      StepRecord step = *test::makeRecord(0);
      step.bareDistance->kl = kl;
      f.model.append({std::make_shared<const StepRecord>(step)});
    }
    chart.findChild<QComboBox*>(QStringLiteral("comparedQuantity"))->setCurrentIndex(1);
    const auto& boxes = chart.panel().boxes;
    QCOMPARE(boxes.size(), std::size_t{2});
    QCOMPARE(boxes[0].median, 2.0 * usual);  // of the run that is listed second
    QCOMPARE(boxes[1].median, usual);
    const QSignalSpy picked(&chart, &AccuracyChart::runPicked);
    Q_EMIT chart.clicked(1e-3, 0.0);
    QCOMPARE(picked[0][0].toInt(), 1);
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
      return label->text().startsWith(QStringLiteral("No ticked run has this pass: "));
    }));
    quantity->setCurrentIndex(0);
    QVERIFY(chart.isDataVisible());
    QCOMPARE(chart.panel().boxes.size(), std::size_t{1});
  }

  void runsWithAnAblatedPassAreRankedByIt() {
    ListedRuns f;
    AccuracyChart chart(f.list, f.theme);
    f.run("a.eqrun", 4);
    f.file = "b.eqrun";
    f.model.begin(test::makeHeader({.ablated = true}));
    f.model.append({test::makeRecord(0, {.ablated = true})});
    chart.rankByEffect();
    // The first run absorbs its whole context: its bare pass serves as the ablated pass.
    QCOMPARE(chart.panel().boxes.size(), std::size_t{2});
    QCOMPARE(f.list.index(1, RunList::Worth).data().toString(),
             numberText(chart.panel().boxes[0].largest()));
    QCOMPARE(f.list.index(0, RunList::Worth).data().toString(),
             numberText(f.list.at(0).bareEffect.largest()));
    QCOMPARE(chart.panel().boxes[0].median,
             test::makeRecord(0, {.ablated = true})->ablatedDistance->kl);
    QCOMPARE(chart.panel().x.label, std::string("KL of the ablated pass, nats"));
    QCOMPARE(chart.figure().kind, std::string("effect"));
  }

  void coloursFollowTheTheme() {
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

EQUIPATCH_TEST(tst_accuracy_chart)
#include "tst_accuracy_chart.moc"

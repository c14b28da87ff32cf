// SPDX-License-Identifier: GPL-3.0-or-later
#include <QToolButton>
#include <cmath>

#include "tests/support/test_case.h"
#include "tests/ui/support/run_fixture.h"
#include "ui/chart/logit_chart.h"

using namespace equipatch;

using Fixture = equipatch::test::RunFixture;

namespace {

const QString kLinf = QStringLiteral("L∞");
const QString kTvd = QStringLiteral("TVD");
const QString kBare = QStringLiteral("bare L∞");
const QString kMargin = QStringLiteral("margin");
const QString kNoise = QStringLiteral("noise L∞");
const QString kMismatches = QStringLiteral("tokens differ");

}  // namespace

class tst_logit_chart : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void drawsEverySeries();
  void marksMismatches();
  void bareAndNoiseAreDrawnOnlyOnRequest();
  void appendedStepsContinueTheCurve();
  void aNewRunClearsTheSeries();
  void fittedAxesShowAllPoints();
  void marksAndSelectsTheStep();
  void otherRunsAreDrawnInTheSameChart();
  void hiddenRunsHaveNoMarksAndStayHidden();
  void groupsHaveAMedianAndABand();
  void aBranchStepIsNamedWithItsAxisPosition();
};

/// The axis counts a branch's steps from the beginning of the run that it branched off.
void tst_logit_chart::aBranchStepIsNamedWithItsAxisPosition() {
  Fixture f;
  LogitChart chart(f.model, f.selection, f.theme);
  f.begin({});
  f.append(4, {});
  f.selection.selectStep(2);
  QVERIFY2(chart.sentence().startsWith("Step 2. "), qPrintable(chart.sentence()));
  const FigureRun other{"other", f.model.sharedHeader(), f.model.records(), 2};
  FigureRun branch{.name = "branch", .header = {}, .steps = {}};
  branch.begins = 16;
  chart.setOthers({other}, branch);
  QVERIFY2(chart.sentence().startsWith("Step 2 (18 on the axis). ") &&
               chart.sentence().endsWith(" (branch)"),
           qPrintable(chart.sentence()));
  chart.setOthers({}, {});
  QVERIFY2(chart.sentence().startsWith("Step 2. "), qPrintable(chart.sentence()));
}

void tst_logit_chart::hiddenRunsHaveNoMarksAndStayHidden() {
  Fixture f;
  LogitChart chart(f.model, f.selection, f.theme);
  const test::RecordShape shape{.mismatchEvery = 4};
  f.begin(shape);
  f.append(8, shape);
  const auto isMismatch = [](const RunModel::Record& step) { return !step->match; };
  const auto crosses = std::ranges::count_if(f.model.records(), isMismatch);
  QVERIFY(crosses > 0);
  const auto drawn = [&chart] {
    int count = 0;
    for (int curve = 0; curve < 3; ++curve)
      if (const QCPGraph* marks = chart.marksOf(curve)) count += marks->dataCount();
    return count;
  };
  const FigureRun other{"other", f.model.sharedHeader(), f.model.records(), 2};
  const FigureRun third{"third", f.model.sharedHeader(), f.model.records(), 3};
  chart.setOthers({other, third}, FigureRun{.name = "mine", .style = 1});
  QCOMPARE(drawn(), 3 * crosses);
  QCOMPARE(chart.series(kMismatches)->dataCount(), 0);
  for (int curve = 0; curve < 3; ++curve)
    QCOMPARE(chart.marksOf(curve)->scatterStyle().pen().color(),
             chart.series(curve)->pen().color());
  // Hiding the first run must not assign the figure's marks to other runs.
  chart.findChildren<QToolButton*>(QStringLiteral("legendEntry"))[0]->click();
  const FigurePanel panel = chart.figure().panels.front();
  QCOMPARE(panel.marks.front().ofCurve(0).x.size(), std::size_t(crosses));
  QCOMPARE(panel.curves.front().name, std::string("other"));
  chart.findChildren<QToolButton*>(QStringLiteral("legendEntry"))[0]->click();
  chart.findChildren<QToolButton*>(QStringLiteral("legendEntry"))[1]->click();
  QCOMPARE(drawn(), 2 * crosses);
  QVERIFY(!chart.series(QStringLiteral("other"))->visible());
  // Closing a run may shorten the names of the others.
  FigureRun renamed = other;
  renamed.name = "renamed";
  chart.setOthers({renamed}, FigureRun{.name = "mine", .style = 1});
  QVERIFY(!chart.series(QStringLiteral("renamed"))->visible());
  QCOMPARE(drawn(), crosses);
  f.append(4, shape);
  QCOMPARE(drawn(), std::ranges::count_if(f.model.records(), isMismatch));
}

void tst_logit_chart::otherRunsAreDrawnInTheSameChart() {
  Fixture f;
  LogitChart chart(f.model, f.selection, f.theme);
  f.begin({});
  f.append(3, {});
  const FigureRun other{"other", f.model.sharedHeader(), f.model.records(), 2};
  chart.setOthers({other}, FigureRun{.name = "mine", .style = 1});
  QCOMPARE(chart.series(0)->name(), QStringLiteral("mine"));
  QCOMPARE(chart.series(1)->name(), QStringLiteral("other"));
  f.append(1, {});
  QCOMPARE(chart.series(0)->dataCount(), 4);
  QCOMPARE(chart.series(1)->dataCount(), 3);
  f.selection.selectStep(1);
  Q_EMIT chart.clicked(7.0, 0.5);  // this run has no step 7
  QCOMPARE(f.selection.step(), 1);
  chart.measures()->setCurrentIndex(1);
  QCOMPARE(chart.series(0)->data()->at(3)->value, f.model.step(3).patchedDistance.tvd);
  for (const QString& name : {kLinf, kBare, kMargin}) {
    QVERIFY2(chart.series(name), qPrintable(name));
    QCOMPARE(chart.series(name)->dataCount(), 4);
  }
  chart.measures()->setCurrentText(kBare);
  QCOMPARE(chart.series(1)->data()->at(0)->value, f.model.step(0).bareDistance->linf);
  chart.measures()->setCurrentText(QStringLiteral("bare KL"));
  QCOMPARE(chart.series(1)->data()->at(0)->value, f.model.step(0).bareDistance->kl);
  QVERIFY(chart.series(kBare));  // bare L∞ stays beside bare KL
  QVERIFY(chart.sentence().startsWith(QStringLiteral("Step 1. ")));
  chart.measures()->setCurrentText(QStringLiteral("audit L∞"));  // nothing was audited
  QVERIFY2(chart.sentence().startsWith(QStringLiteral("None of these runs has audit L∞")),
           qPrintable(chart.sentence()));
  chart.setOthers({}, {});
  QCOMPARE(chart.series(kTvd)->dataCount(), 4);
}

void tst_logit_chart::groupsHaveAMedianAndABand() {
  Fixture f;
  LogitChart chart(f.model, f.selection, f.theme);
  f.begin({});
  f.append(3, {});
  QVERIFY(chart.groupings()->isHidden());
  std::vector<FigureRun> others;
  for (const char* name : {"one", "two"})
    others.push_back({name, f.model.sharedHeader(), f.model.records()});
  chart.setOthers(others, FigureRun{.name = "mine", .style = 1});
  QVERIFY(!chart.groupings()->isHidden());
  QVERIFY(!chart.band(0));
  chart.groupings()->setCurrentIndex(1);
  QVERIFY(chart.band(0));
  QVERIFY(chart.series(0)->name().contains(QStringLiteral("median of 3 runs")));
  QCOMPARE(chart.band(0)->dataCount(), 3);
  QVERIFY(chart.band(0)->channelFillGraph() &&
          chart.band(0)->brush().color().alpha() > 0);
  QVERIFY(chart.title().contains(QStringLiteral("median")));
  f.append(1, {});  // the run on display grows
  QCOMPARE(chart.series(0)->dataCount(), 4);
  QCOMPARE(chart.band(0)->dataCount(), 4);
  chart.groupings()->setCurrentIndex(0);
  QVERIFY(!chart.band(0));
  QCOMPARE(chart.series(1)->name(), QStringLiteral("one"));
}

void tst_logit_chart::drawsEverySeries() {
  const test::RecordShape shape{.noise = true};
  Fixture f;
  const LogitChart chart(f.model, f.selection, f.theme);
  QVERIFY(!chart.isDataVisible());
  f.begin(shape);
  f.append(10, shape);
  QVERIFY(chart.isDataVisible());
  for (const QString& name : {kLinf, kTvd, kBare, kMargin, kNoise}) {
    QCOMPARE(chart.series(name)->dataCount(), 10);
    QVERIFY(chart.series(name)->visible());
  }
  QCOMPARE(chart.series(kLinf)->data()->at(3)->value,
           f.model.step(3).patchedDistance.linf);
  QCOMPARE(chart.series(kTvd)->data()->at(3)->value, f.model.step(3).patchedDistance.tvd);
  QCOMPARE(chart.series(kBare)->data()->at(3)->value, f.model.step(3).bareDistance->linf);
  QCOMPARE(chart.series(kMargin)->data()->at(3)->value, f.model.step(3).margin);
  QCOMPARE(chart.series(kNoise)->data()->at(3)->value, f.model.step(3).noise->linf);
}

void tst_logit_chart::marksMismatches() {
  const test::RecordShape shape{.mismatchEvery = 4};
  Fixture f;
  const LogitChart chart(f.model, f.selection, f.theme);
  f.begin(shape);
  f.append(9, shape);
  QCOMPARE(chart.series(kMismatches)->dataCount(), 2);
  QCOMPARE(chart.series(kMismatches)->data()->at(0)->key, 3.0);
  QCOMPARE(chart.series(kMismatches)->data()->at(1)->key, 7.0);
  QCOMPARE(chart.series(kMismatches)->scatterStyle().shape(), QCPScatterStyle::ssCross);
  QCOMPARE(chart.series(kMismatches)->scatterStyle().pen().color(),
           f.theme.colours().mismatch);
}

void tst_logit_chart::bareAndNoiseAreDrawnOnlyOnRequest() {
  Fixture f;
  const LogitChart chart(f.model, f.selection, f.theme);
  RunHeader header = *test::makeHeader();
  header.request.bare = false;
  f.model.begin(std::make_shared<const RunHeader>(header));
  QVERIFY(!chart.series(kBare));
  QVERIFY(!chart.series(kNoise));
}

void tst_logit_chart::appendedStepsContinueTheCurve() {
  Fixture f;
  const LogitChart chart(f.model, f.selection, f.theme);
  f.begin({});
  f.append(3, {});
  f.append(4, {});
  QCOMPARE(chart.series(kLinf)->dataCount(), 7);
  QCOMPARE(chart.series(kLinf)->data()->at(6)->key, 6.0);
}

void tst_logit_chart::aNewRunClearsTheSeries() {
  Fixture f;
  const LogitChart chart(f.model, f.selection, f.theme);
  f.begin({});
  f.append(3, {});
  f.begin({});
  QCOMPARE(chart.series(kLinf)->dataCount(), 0);
  QVERIFY(!chart.isDataVisible());
}

void tst_logit_chart::fittedAxesShowAllPoints() {
  Fixture f;
  const LogitChart chart(f.model, f.selection, f.theme);
  f.begin({});
  f.append(50, {});
  const QCPRange keys = chart.plot().xAxis->range();
  QVERIFY(keys.contains(0.0) && keys.contains(49.0));
  const QCPRange values = chart.plot().yAxis->range();
  for (int i = 0; i < 50; ++i) {
    QVERIFY(values.contains(f.model.step(i).patchedDistance.tvd));
    QVERIFY(values.contains(f.model.step(i).bareDistance->linf));
    // The range leaves room for a ✗ above the largest value.
    QVERIFY(std::log(values.upper / f.model.step(i).bareDistance->linf) >
            0.045 * std::log(values.upper / values.lower));
  }
}

void tst_logit_chart::marksAndSelectsTheStep() {
  Fixture f;
  LogitChart chart(f.model, f.selection, f.theme);
  f.begin({});
  f.append(5, {});
  QCOMPARE(chart.marker(), 4);
  QTest::keyClick(&chart, Qt::Key_Up);  // selects a layer, as in other charts
  QCOMPARE(f.selection.layer(), 0);
  QVERIFY2(f.selection.isFollowing(), "no step was selected");
  Q_EMIT chart.clicked(1.2, 0.0);
  QCOMPARE(f.selection.step(), 1);
  QCOMPARE(chart.marker(), 1);
  QTest::keyClick(&chart, Qt::Key_Right);
  QCOMPARE(f.selection.step(), 2);
}

EQUIPATCH_TEST(tst_logit_chart)
#include "tst_logit_chart.moc"

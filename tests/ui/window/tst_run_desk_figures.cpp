// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/file/run_writer.h"
#include "core/record/run_catalogue.h"
#include "tests/support/records.h"
#include "tests/support/test_case.h"
#include "tests/ui/support/desk_fixture.h"
#include "tests/ui/support/quiet_platform.h"
#include "ui/chart/heatmap_chart.h"
#include "ui/chart/layer_charts.h"
#include "ui/export/export_dialog.h"

using namespace equipatch;
using test::DeskFixture;

namespace {

/// Replaces the synthetic engine's file by a readable run file.
void makeRunFile(const std::filesystem::path& file) {
  std::filesystem::remove(file);
  RunHeader header = *test::makeHeader();
  header.request.prompt = {{.id = TokenId(1)}};
  RunWriter(file, header).finish(RunEnding::Stopped);
}

}  // namespace

class tst_run_desk_figures : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void figuresBeginWithTheRunOnDisplay() {
    DeskFixture f;
    f.run(4);
    f.run(6);
    const std::vector<FigureRun> runs = f.desk.figureRuns();
    QCOMPARE(runs.size(), std::size_t(2));
    QCOMPARE(runs[0].steps.size(), std::size_t(6));
    QCOMPARE(runs[1].steps.size(), std::size_t(4));
    QCOMPARE(runs[0].style, std::optional(1));
    f.desk.list().setColour(1, 4);
    QCOMPARE(f.desk.figureRuns()[0].style, std::optional(4));
    QCOMPARE(f.desk.figureRuns()[1].style, std::optional(0));
    f.desk.list().setShown(1, false);
    QCOMPARE(f.desk.figureRuns().size(), std::size_t(1));
    QCOMPARE(f.desk.figureRuns()[0].style, std::optional(0));
    f.desk.list().setShown(0, false);
    QCOMPARE(f.desk.figureRuns().size(), std::size_t(1));
    QCOMPARE(f.desk.figureRuns()[0].style, std::optional(4));  // the one on display
  }

  void figuresNameRunsAsTheListDoes() {
    DeskFixture f;
    f.run(4);
    f.run(6);
    f.run(5);
    const RunList& list = f.desk.list();
    for (const int unticked : {-1, 0}) {
      if (unticked >= 0) f.desk.list().setShown(unticked, false);
      ExportDialog dialog(f.desk.figureRuns());
      QStringList ticked{list.at(2).name};  // on display, so the first
      for (const int row : {0, 1})
        if (list.at(row).shown) ticked << list.at(row).name;
      QStringList drawn;
      for (int row = 0; row < dialog.runs()->count(); ++row)
        drawn << dialog.runs()->item(row)->text();
      QCOMPARE(drawn, ticked);
    }
  }

  void aCaptionNamesTheRunsThatTheChartDraws() {
    const test::QuietPlatform quiet;
    DeskFixture f;
    f.run(4);
    f.run(6);
    for (const auto& [row, name] : {std::pair(0, "first"), {1, "second"}})
      f.desk.list().setData(f.desk.list().index(row, RunList::Name),
                            QString::fromLatin1(name), Qt::EditRole);
    const auto captionOf = [&f](const ChartView& chart) {
      f.desk.exportChart(chart);
      const std::unique_ptr<ChartDialog> dialog(f.window.findChild<ChartDialog*>());
      return dialog->findChild<QPushButton*>(QStringLiteral("copyCaption"))->toolTip();
    };
    const QString both = captionOf(f.chart);
    QVERIFY2(
        both.contains(QStringLiteral("first")) && both.contains(QStringLiteral("second")),
        qPrintable(both));
    f.run(6, true, Method::Direct);  // a group of its own
    f.desk.list().setData(f.desk.list().index(2, RunList::Name), QStringLiteral("third"),
                          Qt::EditRole);
    f.chart.groupings()->setCurrentIndex(1);
    const QString groups = captionOf(f.chart);
    for (const char* name : {"first", "second", "third"})
      QVERIFY2(groups.contains(QString::fromLatin1(name)), qPrintable(groups));
    NormChart sizes(f.model, f.selection, f.theme);
    f.selection.setStepCount(f.model.stepCount());
    f.selection.selectStep(2);
    const QString one = captionOf(sizes);
    QVERIFY2(one.contains(QStringLiteral("step 2")), qPrintable(one));
    QVERIFY2(!one.contains(QStringLiteral("first")), qPrintable(one));
    HeatmapChart map(f.model, f.selection, f.theme);
    QVERIFY2(captionOf(map).contains(map.views()->currentText()),
             qPrintable(captionOf(map)));
  }

  /// The run's file is being written, so the name waits for the run's end.
  void aClosedRunIsRenamedOnceItsRecordingEnds() {
    const test::QuietPlatform quiet;
    DeskFixture f;
    f.run(3);
    constexpr int kEndless = 100000;
    f.begin(kEndless);
    QTRY_VERIFY(f.controller.isComputing() && f.model.stepCount() > 2);
    f.controller.pause();  // the run must not end before the names are set
    QTRY_COMPARE(f.controller.phase(), RunController::Phase::Paused);
    const std::filesystem::path ended = f.desk.list().at(0).file;
    const std::filesystem::path recorded = f.controller.recordedFile();
    f.desk.exportFigure();
    const std::unique_ptr<ExportDialog> dialog(f.window.findChild<ExportDialog*>());
    FigureRun run = f.desk.figureRuns().front();
    QCOMPARE(run.file, recorded);
    f.desk.list().close(1);
    run.name = "late";
    Q_EMIT dialog->renamed(run);
    // Names are saved in order: if "late" did not wait, it would be saved before "early".
    makeRunFile(ended);
    f.desk.list().setData(f.desk.list().index(0, RunList::Name), "early", Qt::EditRole);
    QTRY_COMPARE(readCatalogueRun(ended).labels.name, std::string("early"));
    makeRunFile(recorded);
    f.controller.stop();
    QTRY_COMPARE(readCatalogueRun(recorded).labels.name, std::string("late"));
  }

  /// The steps of a branch are counted from its parent's first step.
  void chartsAndFiguresAgreeOnTheStepsOfABranch() {
    DeskFixture f;
    f.runAndBranch();
    f.selection.setStepCount(f.model.stepCount());
    const std::vector<FigureRun> runs = f.desk.figureRuns();
    const FigurePanel& chart = f.chart.panel();
    for (std::size_t run = 0; run < runs.size(); ++run) {
      QCOMPARE(chart.curves[run].x.front(), double(runs[run].begins));
      QCOMPARE(chart.curves[run].x.size(), runs[run].steps.size());
    }
    QCOMPARE(chart.curves[0].x.front(), 3.0);
    f.chart.showTable(true);
    QCOMPARE(int(f.chart.panelTable().rows.size()), 3 + f.model.stepCount());
    Q_EMIT f.chart.clicked(4.0, 0.0);
    QCOMPARE(f.selection.step(), 1);
    QCOMPARE(f.chart.marker(), 4);
    Q_EMIT f.chart.clicked(1.0, 0.0);  // a step of the parent only
    QCOMPARE(f.selection.step(), 1);
  }

  void figuresKnowWhereBranchesBegin() {
    DeskFixture f;
    f.runAndBranch();
    const std::vector<FigureRun> runs = f.desk.figureRuns();
    QCOMPARE(runs.size(), std::size_t(2));
    QCOMPARE(runs[0].begins, std::int64_t(3));
    QCOMPARE(runs[1].begins, std::int64_t(0));
    f.desk.list().setShown(0, false);
    QCOMPARE(f.desk.figureRuns().size(), std::size_t(1));
    QCOMPARE(f.desk.figureRuns()[0].begins, std::int64_t(0));  // no parent is drawn
  }
};

EQUIPATCH_TEST(tst_run_desk_figures)
#include "tst_run_desk_figures.moc"

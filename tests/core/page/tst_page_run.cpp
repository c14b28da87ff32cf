// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/page/page_run.h"

#include <QTemporaryDir>
#include <fstream>

#include "core/page/run_page.h"
#include "tests/core/figure/figure_runs.h"
#include "tests/support/stopped_progress.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using equipatch::test::changed;
using equipatch::test::figureRun;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

class tst_page_run : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  /// The steps of a long run fit into memory only without their vectors.
  void runsAreReadWithoutTheirVectors() {
    QTemporaryDir folder;
    FigureRun run = figureRun("", 3, {.layers = 3, .width = 20});
    run.file = folder.filePath("run.eqrun").toStdString();
    equipatch::test::recordRun(*run.header, run.steps, run.file);
    saveLabels(run.file, {.name = "named", .notes = {}, .tags = {}});
    test::Patience progress;
    const PageRun read = readPageRun(run.file, progress);
    QCOMPARE(progress.fractions, (std::vector<double>{0.0, 1.0 / 3.0, 2.0 / 3.0}));
    QCOMPARE(read.labels.name, std::string("named"));
    QVERIFY(read.ending == RunEnding::Complete);
    QCOMPARE(read.run.steps.size(), std::size_t{3});
    for (const auto& step : read.run.steps) QVERIFY(lacksDelta(*step));
    QCOMPARE(read.stored.layers, 3);
    QCOMPARE(read.stored.width, 20);
    const StoredRun whole = readRun(run.file);
    run.header = whole.header;
    run.steps = whole.steps;
    QVERIFY(!lacksDelta(*run.steps[0]));
    QVERIFY(runPage({read}) == runPage({{.run = run, .labels = read.labels}}));
    test::Patience impatient(1);
    QVERIFY_ERROR(readPageRun(run.file, impatient), "stopped on request");
    const FigureRun light = read.run;
    test::Patience again(1);
    QVERIFY_ERROR(pageRunOf(light, RunEnding::Stopped, again), "stopped on request");
  }

  /// Vectors that a run in memory has dropped are read from its file.
  void runsInMemoryAreCompletedFromTheirFiles() {
    QTemporaryDir folder;
    FigureRun run = figureRun("mine", 2, {.layers = 3});
    run.file = folder.filePath("run.eqrun").toStdString();
    equipatch::test::recordRun(*run.header, run.steps, run.file);
    saveLabels(run.file, {.name = "named", .notes = {}, .tags = {"a"}});
    FigureRun light = run;
    for (auto& step : light.steps) step = withoutVectors(*step);
    test::Patience progress;
    const PageRun page = pageRunOf(light, RunEnding::Stopped, progress);
    QCOMPARE(progress.fractions, (std::vector<double>{0.0, 0.5}));
    QCOMPARE(progress.labels.back(), std::string("Reading run.eqrun"));
    QCOMPARE(page.labels.tags, std::vector<std::string>{"a"});
    QVERIFY(page.ending == RunEnding::Complete);
    QCOMPARE(page.run.name, std::string("mine"));
    const std::string whole = runPage({{.run = run, .labels = page.labels}});
    QVERIFY(runPage({page}) == whole);
    QVERIFY(runPage({{.run = light, .labels = page.labels}}) != whole);
    FigureRun half = light;
    half.steps[1] = run.steps[1];
    QVERIFY(runPage({pageRunOf(half, RunEnding::Stopped, m_silent)}) == whole);
    light.file = folder.filePath("gone.eqrun").toStdString();
    const PageRun gone = pageRunOf(light, RunEnding::Stopped, m_silent);
    QVERIFY(gone.ending == RunEnding::Stopped);
    QCOMPARE(gone.stored.width, 0);
    QCOMPARE(gone.unread, std::string());
    // If the file cannot be read, the page shows the steps in memory and says why.
    std::ofstream(run.file) << "no run";
    light.file = run.file;
    const PageRun damaged = pageRunOf(light, RunEnding::Stopped, m_silent);
    QVERIFY2(contains(damaged.unread, "run.eqrun"), damaged.unread.c_str());
    QCOMPARE(damaged.run.steps.size(), std::size_t{2});
    QVERIFY(!contains(runPage({damaged}), "\"unread\":\"\""));
  }

  /// The window's run has the steps before the damaged one.
  void pageOfARunInMemoryReportsFileDamage() {
    QTemporaryDir folder;
    FigureRun run = figureRun("mine", 2);
    run.file = folder.filePath("run.eqrun").toStdString();
    const FigureRun gap =
        changed(run, 1, [](StepRecord& record) { record.step = StepIndex(2); });
    equipatch::test::recordRun(*gap.header, gap.steps, gap.file);
    run.steps.pop_back();
    const PageRun read = readPageRun(run.file, m_silent);
    QVERIFY(contains(read.damage, "step 1"));
    saveLabels(run.file, {.name = "named", .notes = {}, .tags = {}});
    const PageRun page = pageRunOf(run, RunEnding::Stopped, m_silent);
    QCOMPARE(page.damage, read.damage);
    QCOMPARE(page.unread, std::string());
    QCOMPARE(page.labels.name, std::string("named"));
  }

 private:
  SilentProgress m_silent;
};

EQUIPATCH_TEST(tst_page_run)
#include "tst_page_run.moc"

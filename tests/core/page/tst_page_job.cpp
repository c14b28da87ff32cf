// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/page/page_job.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <algorithm>
#include <functional>

#include "core/base/error.h"
#include "core/page/run_page.h"
#include "core/work/worker.h"
#include "tests/core/figure/figure_runs.h"
#include "tests/core/work/ignoring_listener.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using equipatch::test::figureRun;

namespace {

struct PageOutcome final : test::IgnoringListener {
  void jobStarted(Generation, const std::string&) override { problem = "no end"; }
  void jobProgressed(Generation, double fraction, const std::string&) override {
    fractions.push_back(fraction);
    if (progressed) progressed();
  }
  void jobFinished(Generation) override { problem.clear(); }
  void jobCancelled(Generation) override { problem = "cancelled"; }
  void jobFailed(Generation, const Error& error) override { problem = error.what(); }
  std::string problem;
  std::vector<double> fractions;
  std::function<void()> progressed;
};

QByteArray pageAt(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

class tst_page_job : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void writesThePage() {
    const QTemporaryDir folder;
    const QString path = folder.filePath("page.html");
    FigureRun recorded = figureRun("mine", 2);
    recorded.file = folder.filePath("run.eqrun").toStdString();
    equipatch::test::recordRun(*recorded.header, recorded.steps, recorded.file);
    FigureRun light = recorded;
    for (auto& step : light.steps) step = withoutVectors(*step);
    const FigureRun other = figureRun("other", 3);
    PageOutcome outcome;
    InlineWorker(outcome).run(
        makePageJob({{light, RunEnding::Stopped}, {other, RunEnding::Stopped, true}},
                    path.toStdString()));
    QCOMPARE(outcome.problem, std::string());
    const std::string expected =
        runPage({{.run = recorded},
                 {.run = other, .ending = RunEnding::Stopped, .isRecording = true}});
    QVERIFY(pageAt(path).toStdString() == expected);
    QVERIFY(std::ranges::is_sorted(outcome.fractions));
    QCOMPARE(outcome.fractions.back(), 1.0);
  }

  void aStoppedJobKeepsTheEarlierPage() {
    const QTemporaryDir folder;
    const QString path = folder.filePath("page.html");
    QFile earlier(path);
    QVERIFY(earlier.open(QIODevice::WriteOnly) && earlier.write("earlier") > 0);
    earlier.close();
    PageOutcome outcome;
    InlineWorker worker(outcome);
    outcome.progressed = [&] { worker.stop(); };
    worker.run(makePageJob({{figureRun("mine", 2)}}, path.toStdString()));
    QCOMPARE(outcome.problem, std::string("cancelled"));
    QCOMPARE(pageAt(path), QByteArray("earlier"));
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList{"page.html"});
  }

  void errorsSayWhyNoPageIsWritten() {
    PageOutcome outcome;
    InlineWorker(outcome).run(makePageJob({{figureRun("mine", 2)}}, "/proc/page.html"));
    QVERIFY2(outcome.problem.find("/proc/page.html") != std::string::npos,
             outcome.problem.c_str());
    InlineWorker(outcome).run(makePageJob({{figureRun("mine", 0)}}, "/proc/page.html"));
    QVERIFY2(outcome.problem.find("no finished step") != std::string::npos,
             outcome.problem.c_str());
  }
};

EQUIPATCH_TEST(tst_page_job)
#include "tst_page_job.moc"

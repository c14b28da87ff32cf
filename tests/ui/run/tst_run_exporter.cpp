// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/run_exporter.h"

#include <QSignalSpy>
#include <optional>

#include "tests/support/test_case.h"
#include "tests/ui/support/synthetic_engine.h"

using namespace equipatch;

class tst_run_exporter : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void reportsFinishedExportsButNoStoppedOne() {
    test::SyntheticEngine engine;
    RunModel model;
    SharedWorker worker;
    const RunController runs(engine, model, worker);
    RunExporter exporter(engine, worker, runs);
    const QSignalSpy exported(&exporter, &RunExporter::exported);
    for (const char* target : {"/a.csv", "/b.csv"}) {
      exporter.start({.target = target});
      QVERIFY(exporter.isBusy());
      QTRY_VERIFY(!exporter.isBusy());
    }
    QCOMPARE(exported.count(), 2);
    QCOMPARE(exported[1][0].toString(), QStringLiteral("Wrote /b.csv"));
    const QSignalSpy stopped(&exporter, &RunExporter::stopped);
    exporter.start({.target = "/slow"});
    exporter.stop();
    QTRY_COMPARE(stopped.count(), 1);
    QCOMPARE(exported.count(), 2);
  }

  /// The user may close the window during an export. A sanitizer finds uses of the
  /// destroyed exporter.
  void aJobMayOutliveTheExporter() {
    test::SyntheticEngine engine;
    RunModel model;
    std::optional<SharedWorker> worker(std::in_place);
    std::optional<RunController> runs(std::in_place, engine, model, *worker);
    std::optional<RunExporter> exporter(std::in_place, engine, *worker, *runs);
    exporter->start({.target = "/late.csv"});
    QTRY_VERIFY(engine.isExportingLate());
    exporter.reset();
    runs.reset();
    worker.reset();  // waits for the job
    QVERIFY(!engine.isExportingLate());
  }
};

EQUIPATCH_TEST(tst_run_exporter)
#include "tst_run_exporter.moc"

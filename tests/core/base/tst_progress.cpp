// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/progress.h"

#include <limits>

#include "tests/support/stopped_progress.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using std::chrono::seconds;

namespace {

struct RecordedProgress final : Progress {
  void report(double value, std::string_view name) override {
    fraction = value;
    label = name;
  }
  bool stopRequested() const override { return stopped; }

  double fraction = -1.0;
  std::string label;
  bool stopped = false;
};

}  // namespace

class tst_progress : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void silentProgressNeverStops();
  void stoppingThrowsACancelledError();
  void partialProgressMapsToTheWhole();
  void aLabelledPartKeepsTheLayerNumber();
  void theFractionCountsLayersOfAllPasses();
  void shortPassesAreSilentButCanBeStopped();
  void remainingTimeAssumesAConstantRate();
  void noRemainingTimeWithoutUsableProgress_data();
  void noRemainingTimeWithoutUsableProgress();
};

void tst_progress::silentProgressNeverStops() {
  SilentProgress progress;
  progress.report(0.5, "working");
  QCOMPARE(test::errorOf([&] { progress.throwIfStopped(); }), QString());
}

void tst_progress::stoppingThrowsACancelledError() {
  try {
    test::StoppedProgress().throwIfStopped();
    QFAIL("did not stop");
  } catch (const Error& error) {
    QVERIFY(error.kind() == ErrorKind::Cancelled);
  }
}

void tst_progress::partialProgressMapsToTheWhole() {
  RecordedProgress whole;
  PartialProgress part(whole, 0.25, 0.75);
  part.report(0.0, "begun");
  QCOMPARE(whole.fraction, 0.25);
  part.report(0.5, "half");
  QCOMPARE(whole.fraction, 0.5);
  QCOMPARE(whole.label, std::string("half"));
  QVERIFY(!part.stopRequested());
  whole.stopped = true;
  QVERIFY(part.stopRequested());
  auto last = PartialProgress::ofItem(whole, 3, 4);
  last.report(0.0, "begun");
  QCOMPARE(whole.fraction, 0.75);
  last.report(1.0, "done");
  QCOMPARE(whole.fraction, 1.0);
}

void tst_progress::aLabelledPartKeepsTheLayerNumber() {
  RecordedProgress whole;
  LabelledProgress part(whole, 0.25, 0.75, "Recomputing the context");
  part.report(0.5, "Reading the prompt");
  QCOMPARE(whole.fraction, 0.5);
  QCOMPARE(whole.label, std::string("Recomputing the context"));
  part.report(1.0, "Reading the prompt: layer 3 of 26");
  QCOMPARE(whole.label, std::string("Recomputing the context: layer 3 of 26"));
  whole.stopped = true;
  QVERIFY(part.stopRequested());
}

void tst_progress::theFractionCountsLayersOfAllPasses() {
  RecordedProgress whole;
  PartialProgress part(whole, 0.5, 1.0);
  LayerProgress layers(part, "Generating", 2, 0.0);
  for (std::int64_t layer = 1; layer <= 4; ++layer) layers.passed(layer, 4);
  QCOMPARE(whole.fraction, 0.75);
  QCOMPARE(whole.label, std::string("Generating: layer 4 of 4"));
  layers.passed(2, 4);
  QCOMPARE(whole.fraction, 0.875);
  for (std::int64_t pass = 0; pass < 3; ++pass) layers.passed(4, 4);  // more than two
  QCOMPARE(whole.fraction, 1.0);
}

void tst_progress::shortPassesAreSilentButCanBeStopped() {
  RecordedProgress progress;
  constexpr double kAnHour = 3.6e6;
  LayerProgress layers(progress, "Generating", 1, kAnHour);
  layers.passed(1, 2);
  QCOMPARE(progress.fraction, -1.0);
  progress.stopped = true;
  QVERIFY(!test::errorOf([&] { layers.passed(2, 2); }).isEmpty());
}

void tst_progress::remainingTimeAssumesAConstantRate() {
  QVERIFY(remainingTime(seconds(10), 0.25) == seconds(30));
  QVERIFY(remainingTime(seconds(90), 0.9) == seconds(10));
  QVERIFY(remainingTime(seconds(90), 1.0) == seconds(0));
  // A resumed download: a quarter of all took 10 s, and another quarter is left.
  QVERIFY(remainingTime(seconds(10), 0.75, 0.5) == seconds(10));
  QVERIFY(!remainingTime(seconds(10), 0.5, 0.5));
}

void tst_progress::noRemainingTimeWithoutUsableProgress_data() {
  QTest::addColumn<double>("elapsed");
  QTest::addColumn<double>("fraction");
  QTest::newRow("nothing done") << 60.0 << 0.0;
  QTest::newRow("just begun") << 0.5 << 0.5;
  QTest::newRow("not a number") << 60.0 << std::numeric_limits<double>::quiet_NaN();
  QTest::newRow("more than all") << 60.0 << 1.5;
  QTest::newRow("longer than anyone waits") << 60.0 << 1e-12;
}

void tst_progress::noRemainingTimeWithoutUsableProgress() {
  QFETCH(double, elapsed);
  QFETCH(double, fraction);
  QVERIFY(!remainingTime(std::chrono::duration<double>(elapsed), fraction));
}

EQUIPATCH_TEST(tst_progress)
#include "tst_progress.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/torch_backend.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/kernel/threads.h"
#include "tests/core/run/tiny_session.h"
#include "tests/support/disk_for_tests.h"
#include "tests/support/stopped_progress.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;

namespace {

/// Requests a stop once a label contains a word.
struct StopsAt final : Progress {
  explicit StopsAt(std::string awaited) : word(std::move(awaited)) {}
  void report(double, std::string_view label) override {
    stopped = stopped || label.find(word) != std::string_view::npos;
  }
  bool stopRequested() const override { return stopped; }
  std::string word;
  bool stopped = false;
};

BenchReport measured(const test::TinyModel& model, const BenchRequest& request) {
  const test::TinySession tiny(model);
  SilentProgress silent;
  return bench(tiny.session, request, silent);
}

}  // namespace

class tst_bench : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void timingsHaveTheRequestedRounds();
  void ratiosFollowFromTheTimes();
  void smallModelsAreMeasuredWithinTheirPositions();
  void tooManyStepsAreRefused();
  void coldStartIsMeasuredOnRequest();
  void progressNeverGoesBack();
  void canBeStopped();
};

void tst_bench::timingsHaveTheRequestedRounds() {
  const BenchReport report = measured({.family = "gemma3_text"}, {.rounds = 6});
  for (const char* name :
       {TimingName::kPlainStep, TimingName::kComparisonStep,
        TimingName::kMaterialisedStep, TimingName::kRecording, TimingName::kReading,
        TimingName::kEarlyStep, TimingName::kLateStep})
    QCOMPARE(report.timing(name).milliseconds.size(), std::size_t{6});
  for (const char* name : {TimingName::kPrompt, TimingName::kLargeProduct})
    QCOMPARE(report.timing(name).milliseconds.size(), std::size_t{2});
  for (const Timing& timing : report.timings)
    for (const double milliseconds : timing.milliseconds) QVERIFY(milliseconds > 0.0);
  QVERIFY(!report.coldRatio);
  QVERIFY_THROWS_EXCEPTION(std::out_of_range, report.timing(TimingName::kColdStart));
}

void tst_bench::ratiosFollowFromTheTimes() {
  const BenchReport report = measured({.family = "llama"}, {.rounds = 1});
  const auto once = [&](const char* name) {
    return report.timing(name).milliseconds.front();
  };
  QCOMPARE(report.comparisonRatio.median,
           once(TimingName::kComparisonStep) / once(TimingName::kPlainStep));
  QCOMPARE(report.materialisedRatio.median,
           once(TimingName::kMaterialisedStep) / once(TimingName::kComparisonStep));
  QCOMPARE(report.bandwidthFraction.median,
           once(TimingName::kReading) / once(TimingName::kPlainStep));
  QCOMPARE(report.recordRatio.median,
           1.0 + once(TimingName::kRecording) / once(TimingName::kComparisonStep));
  QCOMPARE(report.lateRatio.median,
           once(TimingName::kLateStep) / once(TimingName::kEarlyStep));
  // 2 · weights of the blocks · tokens.
  const double operations = 2.0 * 3 * (2 * 32 * 32 + 2 * 16 * 32 + 3 * 48 * 32) * 128;
  const double rate = operations / (once(TimingName::kPrompt) / 1000.0);
  QVERIFY(std::abs(report.promptFraction.median / (rate / report.largeProductRate) - 1) <
          1e-9);
  QVERIFY(report.peakBytes.value() > report.weightBytes);
  QCOMPARE(report.threads, kernelThreads());
}

void tst_bench::smallModelsAreMeasuredWithinTheirPositions() {
  const BenchReport report =
      measured({.family = "gpt2", .maxPositions = 8}, {.rounds = 6});
  QCOMPARE(report.promptTokens, 8);
  QCOMPARE(report.lateStep, 7);
  QCOMPARE(report.earlyStep, 3);
}

void tst_bench::tooManyStepsAreRefused() {
  QVERIFY_ERROR(measured({.family = "gpt2", .maxPositions = 8}, {.rounds = 7}),
                "8 positions", "7 rounds");
}

void tst_bench::coldStartIsMeasuredOnRequest() {
  SilentProgress silent;
  const auto session = test::openSession(
      {.folder = test::data("golden/gemma3_text"), .weights = WeightOrigin::Random});
  if (!test::hasDisk()) {
    QVERIFY_ERROR(
        bench(session, {.rounds = 1, .coldStart = MeasureColdStart::Yes}, silent),
        "expected a folder on a disk", "TMPDIR");
    return;
  }
  if (test::diskForTests().empty()) QSKIP("the disk has too little room");
  const BenchReport report =
      bench(session, {.rounds = 1, .coldStart = MeasureColdStart::Yes}, silent);
  QCOMPARE(report.coldRatio->median,
           report.timing(TimingName::kColdStart).milliseconds.front() /
               report.timing(TimingName::kColdFile).milliseconds.front());
}

void tst_bench::progressNeverGoesBack() {
  const auto session = test::openSession({.folder = test::data("images/gemma3_mm")});
  test::Patience progress;
  bench(session, {.rounds = 1, .images = 1}, progress);
  QVERIFY(std::ranges::is_sorted(progress.fractions));
  QCOMPARE(progress.fractions.back(), 0.9);  // the vision tower's
}

void tst_bench::canBeStopped() {
  const test::TinySession tiny({.family = "llama"});
  StopsAt progress("late");
  try {
    bench(tiny.session, {.rounds = 1}, progress);
    QFAIL("the measurement continued after the stop request");
  } catch (const Error& error) {
    QCOMPARE(error.kind(), ErrorKind::Cancelled);
  }
}

EQUIPATCH_TEST(tst_bench)
#include "tst_bench.moc"

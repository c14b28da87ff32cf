// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/bench/bench_report.h"

#include <stdexcept>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

struct StopsAfter final : Progress {
  StopsAfter(const int& counter, int most) : count(counter), limit(most) {}
  void report(double, std::string_view) override {}
  bool stopRequested() const override { return count >= limit; }
  const int& count;
  int limit;
};

/// Keeps the processor busy.
void work(double milliseconds) {
  for (const Stopwatch watch; watch.milliseconds() < milliseconds;) continue;
}

}  // namespace

class tst_bench_report : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void timingsAreFoundByName();
  void tasksAreTimedInTurn();
  void timingsIncludeTheWholeTask();
  void preparationIsNotTimed();
  void ratiosAreComputedWithinEachRound();
  void spreadsOmitATenthAtEitherEnd();
  void stopsBetweenTwoPiecesOfWork();
};

void tst_bench_report::timingsAreFoundByName() {
  BenchReport report;
  report.timings = {{TimingName::kPlainStep, {1.0}}, {TimingName::kPrompt, {5.0, 7.0}}};
  QCOMPARE(report.timing(TimingName::kPrompt).milliseconds,
           (std::vector<double>{5.0, 7.0}));
  QVERIFY_THROWS_EXCEPTION(std::out_of_range, report.timing(TimingName::kColdFile));
}

void tst_bench_report::tasksAreTimedInTurn() {
  std::string order;
  SilentProgress silent;
  const auto timings =
      timeInTurn({{"a", [&] { order += 'a'; }}, {"b", [&] { order += 'b'; }}}, 3, silent);
  QCOMPARE(order, std::string("abababab"));  // the first round warms up
  QCOMPARE(timings.size(), std::size_t{2});
  QCOMPARE(timings[1].name, std::string("b"));
  QCOMPARE(timings[0].milliseconds.size(), std::size_t{3});
}

void tst_bench_report::timingsIncludeTheWholeTask() {
  SilentProgress silent;
  const auto timings = timeInTurn({{"long", [] { work(4.0); }}}, 2, silent);
  for (const double milliseconds : timings[0].milliseconds) QVERIFY(milliseconds >= 4.0);
}

void tst_bench_report::preparationIsNotTimed() {
  std::string order;
  SilentProgress silent;
  const auto prepare = [&] {
    order += 'p';
    work(200.0);
  };
  const auto timings = timeInTurn({{"w", [&] { order += 'w'; }, prepare}}, 2, silent);
  QCOMPARE(order, std::string("pwpwpw"));
  QVERIFY(timings[0].spread().low < 200.0);
}

void tst_bench_report::ratiosAreComputedWithinEachRound() {
  // The machine was ten times slower in the second round; the ratio of medians is 1.
  const Spread ratio = ratioOf({"a", {2.0, 20.0, 2.0}}, {"b", {1.0, 10.0, 2.0}});
  QCOMPARE(ratio.median, 2.0);
  QCOMPARE(ratioOf({"a", {}}, {"b", {1.0}}).median, 0.0);
}

void tst_bench_report::spreadsOmitATenthAtEitherEnd() {
  std::vector<double> values;
  for (int value = 0; value <= 100; ++value) values.push_back(100 - value);
  const Spread spread = Spread::of(values);
  QCOMPARE(spread.median, 50.0);
  QCOMPARE(spread.low, 10.0);
  QCOMPARE(spread.high, 90.0);
}

void tst_bench_report::stopsBetweenTwoPiecesOfWork() {
  int count = 0;
  StopsAfter progress(count, 3);
  QVERIFY_ERROR(timeInTurn({{"a", [&] { ++count; }}}, 100, progress),
                "stopped on request");
  QCOMPARE(count, 3);
}

EQUIPATCH_TEST(tst_bench_report)
#include "tst_bench_report.moc"

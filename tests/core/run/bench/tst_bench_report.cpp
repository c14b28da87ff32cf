#include "core/run/bench/bench_report.h"

#include <stdexcept>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_bench_report : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void timingsAreFoundByName();
};

void tst_bench_report::timingsAreFoundByName() {
  BenchReport report;
  report.timings = {{TimingName::kPlainStep, {1.0}}, {TimingName::kPrompt, {5.0, 7.0}}};
  QCOMPARE(report.timing(TimingName::kPrompt).milliseconds,
           (std::vector<double>{5.0, 7.0}));
  QVERIFY_THROWS_EXCEPTION(std::out_of_range, report.timing(TimingName::kColdFile));
}

EQUIPATCH_TEST(tst_bench_report)
#include "tst_bench_report.moc"

#include "core/record/run_record.h"

#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

std::shared_ptr<const StepRecord> step(double linf, bool match, const char* bytes) {
  StepRecord record;
  record.patchedDistance = {linf, linf / 10.0, 0.0};
  record.bareDistance = LogitDistance{linf * 100.0, 1.0, 1.0};
  record.match = match;
  record.continuedBytes = bytes;
  record.milliseconds = 2.0;
  return std::make_shared<const StepRecord>(record);
}

}  // namespace

class tst_run_record : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void nothingSumsToNothing();
  void totalsAreOfAllSteps();
  void sampledTokensAreCountedApart();
  void halfCharactersOfTokensMakeWholeOnes();
};

void tst_run_record::nothingSumsToNothing() {
  const RunSummary summary = summarise({});
  QCOMPARE(summary.steps, 0);
  QCOMPARE(summary.linfMedian, 0.0);
  QVERIFY(summary.text.empty());
}

void tst_run_record::totalsAreOfAllSteps() {
  const RunSummary odd =
      summarise({step(3, true, "a"), step(1, false, "b"), step(2, true, "c")});
  QCOMPARE(odd.steps, 3);
  QCOMPARE(odd.matches, 2);
  QCOMPARE(odd.linfMedian, 2.0);
  QCOMPARE(odd.linfMax, 3.0);
  QCOMPARE(odd.tvdMax, 0.3);
  QCOMPARE(odd.bareLinfMedian, 200.0);
  QCOMPARE(odd.millisecondsPerStep, 2.0);
  QCOMPARE(odd.text, std::string("abc"));
  const RunSummary even = summarise(
      {step(4, true, ""), step(1, true, ""), step(2, true, ""), step(8, true, "")});
  QCOMPARE(even.linfMedian, 3.0);
}

void tst_run_record::sampledTokensAreCountedApart() {
  std::vector<std::shared_ptr<const StepRecord>> steps;
  for (const bool sampledMatch : {false, true, false}) {
    StepRecord record = *step(1, true, "");
    record.sampledMatch = sampledMatch;
    steps.push_back(std::make_shared<const StepRecord>(record));
  }
  const RunSummary summary = summarise(steps);
  QCOMPARE(summary.matches, 3);
  QCOMPARE(summary.sampledMatches, std::optional<std::int64_t>(1));
  QVERIFY(!summarise({step(1, true, "")}).sampledMatches);
}

void tst_run_record::halfCharactersOfTokensMakeWholeOnes() {
  QCOMPARE(summarise({step(1, true, "\xC3"), step(1, true, "\xA9!")}).text,
           std::string("\xC3\xA9!"));
  QCOMPARE(summarise({step(1, true, "\xC3")}).text, std::string("\xEF\xBF\xBD"));
}

EQUIPATCH_TEST(tst_run_record)
#include "tst_run_record.moc"

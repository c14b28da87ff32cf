// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/run_record.h"

#include <cmath>

#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

std::shared_ptr<const StepRecord> step(double linf, bool match, const char* bytes) {
  StepRecord record;
  record.patchedDistance = {linf, linf / 10.0, 0.0};
  record.bareDistance = LogitDistance{linf * 100.0, 1.0, linf / 10.0};
  record.match = match;
  record.continuedBytes = bytes;
  record.milliseconds = 2.0;
  return std::make_shared<const StepRecord>(record);
}

}  // namespace

class tst_run_record : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void theSummaryOfNoStepsIsEmpty();
  void theSummaryCoversAllSteps();
  void maximaOverANanAreNan();
  void sampledTokensAreComparedInSampledRuns();
  void sampledMatchesAreCountedSeparately();
  void charactersAreJoinedAcrossTokens();
  /// Files of earlier versions lack these bytes.
  void comparisonIgnoresBytesOfCandidates() {
    StepRecord then, now;
    then.contextual = {{.id = TokenId(7), .text = "x"}};
    now.contextual = {{.id = TokenId(7), .text = "x", .bytes = "E2 96"}};
    QVERIFY(sameResults(then, now));
    now.contextual[0].logit = 1.0;
    QVERIFY(!sameResults(then, now));
  }
  void weightComparisonIgnoresProgramAndMachine();
  void theFileThatDiffersIsNamed();
};

void tst_run_record::theSummaryOfNoStepsIsEmpty() {
  const RunSummary summary = summarise({});
  QCOMPARE(summary.steps, 0);
  QCOMPARE(summary.linfMedian, 0.0);
  QVERIFY(summary.text.empty());
}

void tst_run_record::theSummaryCoversAllSteps() {
  const RunSummary odd =
      summarise({step(3, true, "a"), step(1, false, "b"), step(2, true, "c")});
  QCOMPARE(odd.steps, 3);
  QCOMPARE(odd.matches, 2);
  QCOMPARE(odd.linfMedian, 2.0);
  QCOMPARE(odd.linfMax, 3.0);
  QCOMPARE(odd.tvdMax, 0.3);
  QCOMPARE(odd.bareLinfMedian, 200.0);
  QCOMPARE(odd.bareKlMedian, 0.2);
  QCOMPARE(odd.bareKlMax, 0.3);
  QCOMPARE(odd.millisecondsPerStep, 2.0);
  QCOMPARE(odd.text, std::string("abc"));
  const RunSummary even = summarise(
      {step(4, true, ""), step(1, true, ""), step(2, true, ""), step(8, true, "")});
  QCOMPARE(even.linfMedian, 3.0);
}

/// The maximum is NaN even if other steps follow the one with NaN.
void tst_run_record::maximaOverANanAreNan() {
  const RunSummary summary =
      summarise({step(1, true, ""), step(NAN, false, ""), step(2, true, "")});
  QVERIFY(std::isnan(summary.linfMax));
  QVERIFY(std::isnan(summary.tvdMax));
}

void tst_run_record::sampledTokensAreComparedInSampledRuns() {
  StepRecord same, other;
  other.patchedToken = TokenId(same.token.value + 1);
  RunRequest request;
  QVERIFY(!sampledMatchOf(same, request));
  request.sampling.temperature = 0.5;
  QCOMPARE(sampledMatchOf(same, request), std::optional(true));
  QCOMPARE(sampledMatchOf(other, request), std::optional(false));
}

void tst_run_record::sampledMatchesAreCountedSeparately() {
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

void tst_run_record::charactersAreJoinedAcrossTokens() {
  QCOMPARE(summarise({step(1, true, "\xC3"), step(1, true, "\xA9!")}).text,
           std::string("\xC3\xA9!"));
  QCOMPARE(summarise({step(1, true, "\xC3")}).text, std::string("\xEF\xBF\xBD"));
}

namespace {

Provenance one() {
  Provenance origin;
  origin.configSha256 = "c0ffee";
  origin.tensorFiles = {{"a.safetensors", "11"}, {"b.safetensors", "22"}};
  return origin;
}

}  // namespace

void tst_run_record::weightComparisonIgnoresProgramAndMachine() {
  Provenance other = one();
  other.program = "9";
  other.processor = "another";
  other.threads = 77;
  other.startTime = "later";
  QCOMPARE(differentWeights(one(), other).size(), 0u);
}

void tst_run_record::theFileThatDiffersIsNamed() {
  Provenance other = one();
  other.configSha256 = "decaf";
  other.tensorFiles[1].headerSha256 = "33";
  QCOMPARE(differentWeights(one(), other),
           (std::vector<std::string>{"config.json differs",
                                     "b.safetensors has a different header"}));
  Provenance sampled = one();
  sampled.tensorFiles[1].dataSampleSha256 = "44";
  QCOMPARE(differentWeights(one(), sampled).size(), 0u);  // one() has no sample
  QCOMPARE(differentWeights(sampled, sampled).size(), 0u);
  other = sampled;
  other.tensorFiles[1].dataSampleSha256 = "55";
  QCOMPARE(differentWeights(sampled, other),
           std::vector<std::string>{"b.safetensors has other values"});
  other = one();
  other.tensorFiles[1].file = "renamed.safetensors";  // with the same header
  QCOMPARE(differentWeights(one(), other).size(), 0u);
  other = one();
  other.tensorFiles.pop_back();
  QCOMPARE(differentWeights(one(), other),
           std::vector<std::string>{"1 tensor file instead of 2"});
}

EQUIPATCH_TEST(tst_run_record)
#include "tst_run_record.moc"

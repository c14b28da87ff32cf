// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/verdict.h"

#include <limits>

#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

/// A step of a model with three layers.
StepRecord step(double linf, bool match, double margin = 1.0) {
  StepRecord record;
  record.patchedDistance.linf = linf;
  record.match = match;
  record.margin = margin;
  record.layers.resize(3);
  return record;
}

StepRecord noisyStep(double noise, double rounding = 0.0) {
  StepRecord record;
  record.noise = LogitDistance{.linf = noise};
  record.layerNoise = {1e-4, 2e-4, 3e-4};
  if (rounding > 0.0) {
    record.rounding = LogitDistance{.linf = rounding};
    record.layerRounding = {2e-4, 1e-4, 5e-4};
  }
  return record;
}

NoiseFloor floorAt(double linf) {
  return floorOf(noisyStep(linf));
}

}  // namespace

class tst_verdict : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void weighsDifferenceAgainstFloor_data();
  void weighsDifferenceAgainstFloor();
  void theFloorIsTheLargestNoise();
  void namesTheFirstLayerAboveItsFloor();
  void nonFiniteDistancesAreMethodErrors();
  void namesNoiseReferencesThatOverflow();
  void explainsTheVerdict();
  void differencesWithoutAFloorAreUnmeasured();
  void aMismatchOfAPartialPatchIsNoError();
  void countsVerdictsOfStepsAgainstOneFloor();
  void everyVerdictHasItsName();
};

void tst_verdict::weighsDifferenceAgainstFloor_data() {
  QTest::addColumn<double>("linf");
  QTest::addColumn<bool>("match");
  QTest::addColumn<QString>("verdict");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  QTest::newRow("the same") << 0.0 << true << "exact";
  QTest::newRow("below the floor") << 0.02 << true << "exact";
  QTest::newRow("near the floor") << 0.3 << true << "rounding";
  QTest::newRow("below, flipped") << 0.02 << false << "near_tie";
  QTest::newRow("near, flipped") << 0.3 << false << "near_tie";
  QTest::newRow("far") << 0.7 << true << "method_error";
  QTest::newRow("far, flipped") << 5.0 << false << "method_error";
  QTest::newRow("not a number") << nan << false << "method_error";
  QTest::newRow("overflow") << std::numeric_limits<double>::infinity() << false
                            << "method_error";
}

void tst_verdict::weighsDifferenceAgainstFloor() {
  QFETCH(double, linf);
  QFETCH(bool, match);
  QFETCH(QString, verdict);
  const Verdict given = judge(step(linf, match), floorAt(0.05), {});
  QCOMPARE(QString::fromUtf8(name(given.kind).data()), verdict);
  // Only the ratio to the floor counts.
  const Verdict small = judge(step(linf * 1e-6, match), floorAt(0.05e-6), {});
  QCOMPARE(small.kind, given.kind);
}

void tst_verdict::theFloorIsTheLargestNoise() {
  NoiseFloor floor;
  QVERIFY(!floor.measured);
  floor.include(step(1.0, true));
  QVERIFY(!floor.measured);
  floor.include(noisyStep(0.01, 0.04));
  floor.include(noisyStep(0.02));
  QVERIFY(floor.measured);
  QCOMPARE(floor.linf, 0.04);
  QCOMPARE(floor.layers, (std::vector<double>{2e-4, 2e-4, 5e-4}));
  const NoiseFloor ofRun = floorOf({std::make_shared<StepRecord>(step(1.0, true)),
                                    std::make_shared<StepRecord>(noisyStep(0.01, 0.04)),
                                    std::make_shared<StepRecord>(noisyStep(0.02))});
  QCOMPARE(ofRun.linf, floor.linf);
  QCOMPARE(ofRun.layers, floor.layers);
}

void tst_verdict::namesTheFirstLayerAboveItsFloor() {
  StepRecord record = step(3.0, false);
  record.layers[0].hiddenError = 5e-4;  // five times its floor
  record.layers[1].hiddenError = 0.5;
  record.layers[2].hiddenError = 0.9;
  const Verdict verdict = judge(record, floorAt(0.01), {});
  QCOMPARE(verdict.layer, std::optional<std::int64_t>(1));
  QVERIFY(verdict.sentence.find("layer 1 is the first") != std::string::npos);
  record.layers[0].hiddenError = std::numeric_limits<double>::quiet_NaN();
  QCOMPARE(judge(record, floorAt(0.01), {}).layer, std::optional<std::int64_t>(0));
  QVERIFY(!judge(step(0.3, true), floorAt(0.1), {}).layer);
}

void tst_verdict::nonFiniteDistancesAreMethodErrors() {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  StepRecord record = step(kInfinity, false);
  QCOMPARE(judge(record, {}, {}).kind, VerdictKind::MethodError);
  QVERIFY(!judge(record, {}, {}).layer);
  record.layers[1].hiddenError = kInfinity;
  QCOMPARE(judge(record, {}, {}).layer, std::optional<std::int64_t>(1));
  QVERIFY(judge(record, {}, {}).sentence.find("layer 1 is the first") !=
          std::string::npos);
  // A noise distance that is not finite does not raise the floor.
  const StepRecord noise = noisyStep(kInfinity);
  QVERIFY(!floorOf(noise).measured && floorOf(noise).overflowed);
  NoiseFloor floor = floorAt(0.05);
  QVERIFY(!floor.overflowed);
  floor.include(noise);
  QCOMPARE(floor.linf, 0.05);
  QCOMPARE(judge(step(0.7, true), floor, {}).kind, VerdictKind::MethodError);
}

void tst_verdict::namesNoiseReferencesThatOverflow() {
  const StepRecord overflow = noisyStep(std::numeric_limits<double>::quiet_NaN());
  NoiseFloor floor = floorOf(overflow);
  const Verdict verdict = judge(step(0.3, true), floor, {});
  QCOMPARE(verdict.kind, VerdictKind::Unmeasured);
  QVERIFY(verdict.sentence.find("could not be measured") != std::string::npos);
  QVERIFY(judge(step(0.3, true), {}, {}).sentence.find("NaN") == std::string::npos);
  floor.include(noisyStep(0.05));
  for (const double linf : {0.04, 0.3, 0.7}) {
    const std::string sentence = judge(step(linf, true), floor, {}).sentence;
    QVERIFY2(sentence.find("0.05 (without noise references that hold NaN or infinity)") !=
                 std::string::npos,
             sentence.c_str());
  }
}

void tst_verdict::explainsTheVerdict() {
  const auto sentence = [](const StepRecord& record) {
    return QString::fromStdString(judge(record, floorAt(0.05), {}).sentence);
  };
  QVERIFY(sentence(step(0.0, true)).contains("to the last bit"));
  QVERIFY(sentence(step(0.04, true)).startsWith("within noise"));
  QVERIFY(sentence(step(5.69e-4, true)).contains("L∞ 5.69e-04"));  // as in the table
  const QString tie = sentence(step(0.1, false, 0.07));
  for (const char* part :
       {"near tie", "margin is only 0.07", "L∞ 0.1", "noise floor, 0.05"})
    QVERIFY2(tie.contains(QString::fromUtf8(part)), part);
  QVERIFY(sentence(step(2.0, true)).contains("agree nevertheless"));
  QVERIFY(sentence(step(2.0, false)).contains("tokens differ"));
}

void tst_verdict::differencesWithoutAFloorAreUnmeasured() {
  QCOMPARE(judge(step(0.3, true), {}, {}).kind, VerdictKind::Unmeasured);
  QCOMPARE(judge(step(0.3, false), {}, {}).kind, VerdictKind::Unmeasured);
  QCOMPARE(judge(step(0.0, true), {}, {}).kind, VerdictKind::Exact);
}

void tst_verdict::aMismatchOfAPartialPatchIsNoError() {
  const PatchStrength half{.alpha = 0.5, .layers = {}};
  const PatchStrength some{.alpha = 1.0, .layers = {1}};
  for (const PatchStrength& strength : {half, some})
    QCOMPARE(judge(step(7.0, false), floorAt(0.01), strength).kind,
             VerdictKind::PartOfPatch);
  const StepRecord overflow = step(std::numeric_limits<double>::infinity(), false);
  QCOMPARE(judge(overflow, floorAt(0.01), half).kind, VerdictKind::MethodError);
}

void tst_verdict::countsVerdictsOfStepsAgainstOneFloor() {
  std::vector<std::shared_ptr<const StepRecord>> steps;
  for (const double linf : {0.0, 0.01, 0.2, 9.0})
    steps.push_back(std::make_shared<const StepRecord>(step(linf, true)));
  const VerdictCounts counts = countVerdicts(steps, floorAt(0.05), {});
  QCOMPARE(counts, (VerdictCounts{2, 1, 0, 1, 0, 0}));
}

void tst_verdict::everyVerdictHasItsName() {
  QSet<QString> names;
  for (std::size_t kind = 0; kind < kVerdictKinds; ++kind)
    names << QString::fromUtf8(name(static_cast<VerdictKind>(kind)).data());
  QCOMPARE(names.size(), qsizetype(kVerdictKinds));
}

EQUIPATCH_TEST(tst_verdict)
#include "tst_verdict.moc"

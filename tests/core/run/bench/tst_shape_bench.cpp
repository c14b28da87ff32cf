// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/bench/shape_bench.h"

#include <algorithm>
#include <filesystem>

#include "core/base/error.h"
#include "tests/support/disk_for_tests.h"
#include "tests/support/stopped_progress.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;

namespace fs = std::filesystem;

class tst_shape_bench : public test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void writesTheModelAndRemovesIt();
  void writesTheScalesOfMxfp4();
  void writingCanBeStopped();
  void fileAndRandomWeightsAreMeasured();
};

void tst_shape_bench::writesTheModelAndRemovesIt() {
  const Checkpoint checkpoint =
      Checkpoint::withRandomWeights(test::data("golden/gpt2"), DType::BF16);
  const TemporaryFolder place;
  SilentProgress silent;
  {
    const WrittenCheckpoint written(checkpoint, place.path(), silent);
    QCOMPARE(written.folder().parent_path(), place.path());
    const Checkpoint copy = Checkpoint::open(written.folder());
    QCOMPARE(copy.parameterCount(), checkpoint.parameterCount());
    QVERIFY(copy.unreadTensors().empty());
    for (const auto& [name, weight] : checkpoint.weights())
      QVERIFY(std::ranges::equal(weight.stored.bytes, copy.weight(name).stored.bytes));
  }
  QVERIFY(fs::is_empty(place.path()));
}

void tst_shape_bench::writesTheScalesOfMxfp4() {
  const Checkpoint checkpoint =
      Checkpoint::withRandomWeights(test::data("shapes/tiny_mxfp4"), DType::BF16);
  const TemporaryFolder place;
  SilentProgress silent;
  const WrittenCheckpoint written(checkpoint, place.path(), silent);
  const Checkpoint copy = Checkpoint::open(written.folder());
  const char* const up = "layers.1.experts.2.W_up";
  QVERIFY(checkpoint.weight(up).scales && copy.weight(up).scales);
  QVERIFY(std::ranges::equal(checkpoint.weight(up).scales->bytes,
                             copy.weight(up).scales->bytes));
}

void tst_shape_bench::writingCanBeStopped() {
  const Checkpoint checkpoint =
      Checkpoint::withRandomWeights(test::data("golden/gpt2"), DType::BF16);
  const TemporaryFolder place;
  test::StoppedProgress stopped;
  QVERIFY_ERROR(WrittenCheckpoint(checkpoint, place.path(), stopped), "stopped");
  QVERIFY(fs::is_empty(place.path()));
}

void tst_shape_bench::fileAndRandomWeightsAreMeasured() {
  const SessionRequest shape{.folder = test::data("golden/gemma3_text"),
                             .weights = WeightOrigin::Random};
  SilentProgress silent;
  if (!test::hasDisk()) {
    QVERIFY_ERROR(benchFromFile(shape, {.rounds = 1}, silent),
                  "expected a folder on a disk", "TMPDIR");
    return;
  }
  if (test::diskForTests().empty()) QSKIP("the disk has too little room");
  for (const WeightPlace place : {WeightPlace::Resident, WeightPlace::Mapped}) {
    SessionRequest request = shape;
    request.place = place;
    test::Patience progress;
    const MeasuredModel measured = benchFromFile(request, {.rounds = 1}, progress);
    QVERIFY(std::ranges::is_sorted(progress.fractions));
    QVERIFY(measured.session->weightPlace() == place);
    QVERIFY(!fs::exists(measured.session->folder()));
    const BenchReport& report = measured.report;
    const auto milliseconds = [&](const char* name) {
      return report.timing(name).milliseconds.front();
    };
    QCOMPARE(
        report.plainOnFileRatio->median,
        milliseconds(TimingName::kPlainStep) / milliseconds(TimingName::kPlainStepDrawn));
    QCOMPARE(report.comparisonOnFileRatio->median,
             milliseconds(TimingName::kComparisonStep) /
                 milliseconds(TimingName::kComparisonStepDrawn));
    QCOMPARE(report.coldLoadRatio->median, milliseconds(TimingName::kColdLoad) /
                                               milliseconds(TimingName::kColdLoadFile));
    QCOMPARE(report.loadFraction->median, milliseconds(TimingName::kMemoryCopy) /
                                              milliseconds(TimingName::kCachedLoad));
  }
}

EQUIPATCH_TEST(tst_shape_bench)
#include "tst_shape_bench.moc"

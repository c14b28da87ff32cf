// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/memory_shortage.h"

#include "tests/core/run/tiny_session.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;

namespace {

std::vector<MemoryEstimate> needs() {
  return {{.dtype = DType::F64, .weights = 80},
          {.dtype = DType::F32, .weights = 40, .cache = 3},
          {.dtype = DType::BF16, .weights = 20},
          {.dtype = DType::F16, .weights = 20}};
}

}  // namespace

class tst_memory_shortage : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void aFittingModelIsNoShortage();
  void namesTheFittingDtypes();
  void reportsThatNoDtypeFits();
  void aTinyModelFitsHere();
  void aRunThatDoesNotFitIsNamed();
  void shortageIsNotCheckedForCudaDevices();
  void reportsTheCostOfMappedWeights();
  void computingInFloat32NeedsALargerCache();
};

void tst_memory_shortage::aFittingModelIsNoShortage() {
  QVERIFY(!shortageOf("big", needs(), DType::F32, 43));
  QVERIFY(shortageOf("big", needs(), DType::F32, 42));
  QVERIFY(!shortageOf("big", needs(), DType::F64, 1000));
  QVERIFY(!shortageOf("big", {}, DType::F64, 0));
}

void tst_memory_shortage::namesTheFittingDtypes() {
  const auto shortage = shortageOf("big", needs(), DType::F32, 30);
  QVERIFY(shortage);
  QCOMPARE(shortage->fitting.size(), std::size_t(2));
  const auto sentence = QString::fromStdString(shortage->sentence);
  for (const char* part : {"big needs about 43 B in float32", "only 30 B",
                           "bfloat16 (20 B) or float16 (20 B) would fit"})
    QVERIFY2(sentence.contains(QString::fromUtf8(part)), qPrintable(sentence));
}

void tst_memory_shortage::reportsThatNoDtypeFits() {
  const auto shortage = shortageOf("big", needs(), DType::BF16, 5);
  QVERIFY(shortage);
  QVERIFY(shortage->fitting.empty());
  QVERIFY(shortage->sentence.find("no dtype") != std::string::npos);
}

void tst_memory_shortage::aTinyModelFitsHere() {
  QVERIFY(!findShortage({.folder = test::data("golden/gemma3_text")}));
  QVERIFY_ERROR(findShortage({.folder = "/nowhere/model"}), "/nowhere/model");
}

/// The check compares free memory, to the byte, with what a run needs in addition to the
/// weights.
void tst_memory_shortage::aRunThatDoesNotFitIsNamed() {
  const auto session = test::goldenSession("qwen3_5", std::nullopt);
  RunRequest request{.prompt = std::vector<Token>(20), .steps = 13};
  const auto fits = [&](std::int64_t free) {
    return runShortage(*session, request, free).empty();
  };
  const auto needed = [&] {
    std::int64_t most = 0;
    for (std::int64_t bit = std::int64_t{1} << 40; bit > 0; bit /= 2)
      if (!fits(most + bit - 1)) most += bit;
    return most;
  };
  const MemoryEstimate estimate =
      estimateFor(session->checkpoint(), session->dtype(), 32);
  const std::int64_t whole = needed();
  QVERIFY(whole >= estimate.cache);
  QVERIFY(whole < estimate.total());
  const std::string sentence = runShortage(*session, request, whole - 1);
  for (const char* part : {"a run of 32 positions needs about", "shorter prompt"})
    QVERIFY2(sentence.find(part) != std::string::npos, sentence.c_str());
  request.absorbed.keptPrompt = {{0, 3}};
  QVERIFY(estimate.keptParts > 0);
  QCOMPARE(needed(), whole + estimate.keptParts);
  request.ablated = true;
  QCOMPARE(needed(), whole + estimate.keptParts + estimate.cache);
  request.absorbed = {};
  QCOMPARE(needed(), whole);  // no ablated pass where the whole context is absorbed
  request.measureNoise = true;
  QVERIFY(needed() >= whole + estimate.cache);
  request.steps = INT64_MAX;  // as in a damaged run file
  const std::string most = std::to_string(session->spec().maxPositions);
  QVERIFY(runShortage(*session, request, 0).starts_with("a run of " + most + " pos"));
}

void tst_memory_shortage::shortageIsNotCheckedForCudaDevices() {
  QVERIFY(!findShortage({.folder = "/nowhere/model", .device = "cuda"}));
}

void tst_memory_shortage::reportsTheCostOfMappedWeights() {
  const std::int64_t big = 16'000'000'000;
  const std::vector<MemoryEstimate> needs{
      {.dtype = DType::BF16, .weights = big, .mapped = big, .scratch = 100}};
  const auto sentence = [&](std::optional<WeightPlace> place, std::int64_t free) {
    return shortageOf("big", needs, DType::BF16, free, place)->sentence;
  };
  for (const std::optional<WeightPlace> place :
       std::initializer_list<std::optional<WeightPlace>>{{}, WeightPlace::Mapped}) {
    const std::string text = sentence(place, 1000);
    QVERIFY2(text.find("stay mapped") != std::string::npos &&
                 text.find("up to 16.0 GB from the disk at every step, 16 s at 1 GB/s") !=
                     std::string::npos,
             text.c_str());
  }
  QVERIFY(sentence(WeightPlace::Resident, 1000).find("mapped instead of resident") !=
          std::string::npos);
  // Mapping does not help if the rest, here 100 bytes of scratch, does not fit either.
  QVERIFY(sentence({}, 99).find("mapped") == std::string::npos);
}

/// If the session computes in float32, the weights keep their 16 bits, but keys and
/// values take 32 bits.
void tst_memory_shortage::computingInFloat32NeedsALargerCache() {
  const auto checkpoint = Checkpoint::open(test::data("golden/qwen3_5"));
  const MemoryEstimate narrow = sessionEstimate(checkpoint, DType::BF16, false);
  const MemoryEstimate wide = sessionEstimate(checkpoint, DType::BF16, true);
  QCOMPARE(wide.weights, narrow.weights);
  QVERIFY(narrow.cache > 0);
  QCOMPARE(wide.cache, estimateFor(checkpoint, DType::F32).cache);
  QVERIFY(wide.cache > narrow.cache);
  QCOMPARE(sessionEstimate(checkpoint, DType::F64, true).cache,
           estimateFor(checkpoint, DType::F64).cache);
}

EQUIPATCH_TEST(tst_memory_shortage)
#include "tst_memory_shortage.moc"

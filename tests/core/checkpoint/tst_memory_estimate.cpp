// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/memory_estimate.h"

#include <QTemporaryDir>
#include <limits>

#include "core/checkpoint/checkpoint.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"
#include "tests/support/tiny_checkpoint.h"

using namespace equipatch;

namespace {

class TinyNeeds {
 public:
  explicit TinyNeeds(const test::TinyModel& model)
      : m_checkpoint(Checkpoint::open(
            test::writeTinyCheckpoint(m_folder.path().toStdString(), model))) {}
  const Checkpoint& checkpoint() const { return m_checkpoint; }
  MemoryEstimate of(DType dtype, std::int64_t positions = 2048) const {
    for (const MemoryEstimate& need : memoryEstimates(m_checkpoint, positions))
      if (need.dtype == dtype) return need;
    return {};
  }

 private:
  QTemporaryDir m_folder;
  Checkpoint m_checkpoint;
};

}  // namespace

class tst_memory_estimate : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void weightsAreCountedInTheDtype();
  void matchingStorageIsUsedInPlace();
  void transposedMatricesAreCopied();
  void theCacheHoldsTheClampedPositions();
  void layersThatReadOthersKeysHaveNoCache();
  void recurrentLayersGrowOnlyForKeptParts();
  void perLayerEmbeddingsStayInTheFile();
  void eachRunDtypeHasAnEstimate();
  void scratchCoversAttentionScoresAndLogits();
  void visionTowersAreCountedSeparately();
  void theTotalSumsWeightsCacheAndScratch();
  void anotherRunSharesWeightsAndProgram();
  void weightsThatFitBecomeResident();
  void estimateForGivesTheListedEstimate();
  void weightPlacesAreFoundByName();
  void rowsOfShortPromptsAreComputedTogether();
  void scoresOfLongPromptsStayBounded();
  void extremeHeadCountsGiveBoundedRows();
};

void tst_memory_estimate::weightsAreCountedInTheDtype() {
  const TinyNeeds tiny({.dtype = DType::BF16});
  const std::int64_t parameters = tiny.checkpoint().parameterCount();
  QVERIFY(parameters > 0);
  QCOMPARE(tiny.of(DType::BF16).weights, 2 * parameters);
  QCOMPARE(tiny.of(DType::F32).weights, 4 * parameters);
  QCOMPARE(tiny.of(DType::F64).weights, 8 * parameters);
}

void tst_memory_estimate::matchingStorageIsUsedInPlace() {
  const TinyNeeds tiny({.dtype = DType::BF16});
  QCOMPARE(tiny.of(DType::BF16).mapped, tiny.of(DType::BF16).weights);
  QCOMPARE(tiny.of(DType::F16).mapped, 0);
  QCOMPARE(tiny.of(DType::F32).mapped, 0);
}

/// GPT-2 stores W_q, W_k, W_v, W_o, W_in and W_down transposed.
void tst_memory_estimate::transposedMatricesAreCopied() {
  const TinyNeeds tiny({.family = "gpt2"});
  const std::int64_t matrices = 3 * (4 * 32 * 32 + 2 * 32 * 48);
  const MemoryEstimate need = tiny.of(DType::F32);
  QCOMPARE(need.mapped, need.weights - 4 * matrices);
}

void tst_memory_estimate::theCacheHoldsTheClampedPositions() {
  const test::TinyModel model{
      .layers = 3, .kvHeads = 2, .headDim = 8, .maxPositions = 128};
  const TinyNeeds tiny(model);
  // 3 layers · keys and values · 2 heads · 8 elements · 4 bytes · positions.
  QCOMPARE(tiny.of(DType::F32, 10).cache, 3 * 2 * 2 * 8 * 4 * 10);
  QCOMPARE(tiny.of(DType::F32, 10).positions, 10);
  QCOMPARE(tiny.of(DType::F32, 1'000'000).positions, 128);
  QCOMPARE(tiny.of(DType::F32, -5).positions, 1);
}

/// The second layer's heads are twice as wide. The third layer reads the second's keys.
void tst_memory_estimate::layersThatReadOthersKeysHaveNoCache() {
  const TinyNeeds tiny({.family = "gemma4_text", .kvHeads = 2, .headDim = 8});
  QCOMPARE(tiny.of(DType::F32, 10).cache, 2 * 2 * (8 + 16) * 4 * 10);
}

/// Two of three layers are recurrent. Each has two states (4 heads of 8 × 6) and, for 3
/// positions, the inputs of the convolution and the gates.
void tst_memory_estimate::recurrentLayersGrowOnlyForKeptParts() {
  const TinyNeeds tiny({.family = "qwen3_5_text", .kvHeads = 2, .headDim = 8});
  const std::int64_t inputs = 2 * 2 * 8 + 4 * 6 + 2 * 4;
  const std::int64_t recurrent = 2 * 4 * 8 * 6 * 4 + 3 * inputs * 4;
  for (const std::int64_t positions : {10, 100})
    QCOMPARE(tiny.of(DType::F32, positions).cache,
             2 * recurrent + 2 * 2 * 8 * 4 * positions);
  // A run that keeps parts of its context holds the inputs of all positions.
  QCOMPARE(tiny.of(DType::F32, 100).keptParts, 2 * 100 * inputs * 4);
  QCOMPARE(TinyNeeds({}).of(DType::F32, 100).keptParts, 0);
}

void tst_memory_estimate::perLayerEmbeddingsStayInTheFile() {
  const TinyNeeds tiny({.family = "gemma4_text", .dtype = DType::BF16});
  const std::int64_t rows = 64 * 3 * 6;  // vocabulary · layers · width
  const std::int64_t others = tiny.checkpoint().parameterCount() - rows;
  QCOMPARE(tiny.of(DType::F32).weights, 4 * others + 2 * rows);
  QCOMPARE(tiny.of(DType::F32).mapped, 2 * rows);
  QCOMPARE(tiny.of(DType::BF16).mapped, tiny.of(DType::BF16).weights);
}

void tst_memory_estimate::eachRunDtypeHasAnEstimate() {
  const TinyNeeds tiny({});
  const auto needs = memoryEstimates(tiny.checkpoint());
  QCOMPARE(needs.size(), kRunDTypes.size());
  for (std::size_t index = 0; index < needs.size(); ++index)
    QVERIFY(needs[index].dtype == kRunDTypes[index]);
}

/// The scores of 4 heads at 256 × 256 positions; the logits of a step's four rows.
void tst_memory_estimate::scratchCoversAttentionScoresAndLogits() {
  const TinyNeeds tiny({.heads = 4, .maxPositions = 256});
  const std::int64_t program = tiny.of(DType::F32, 1).scratch;
  QVERIFY(tiny.of(DType::F32, 256).scratch - program >= 4 * 256 * 256 * 4);
  const TinyNeeds many({.vocabulary = 20'000});
  QVERIFY(many.of(DType::F32, 1).scratch - program >= 4 * 19'000 * 4);
}

/// Weights have the run's dtype; activations and pixels are float32 at least.
void tst_memory_estimate::visionTowersAreCountedSeparately() {
  const Checkpoint checkpoint = Checkpoint::open(test::data("images/gemma3_mm"));
  const std::int64_t parameters = checkpoint.visionParameterCount();
  const std::int64_t side = checkpoint.spec().vision->imageSize;
  const auto images = [&](DType dtype) { return estimateFor(checkpoint, dtype).images; };
  QVERIFY(images(DType::BF16) > 2 * parameters + 3 * side * side * 4);
  QCOMPARE(images(DType::F32) - images(DType::BF16), 2 * parameters);
  QCOMPARE(TinyNeeds({}).of(DType::F32).images, 0);
}

void tst_memory_estimate::theTotalSumsWeightsCacheAndScratch() {
  const MemoryEstimate need{.weights = 5,
                            .mapped = 3,
                            .cache = 7,
                            .scratch = 11,
                            .images = 100,
                            .keptParts = 100};
  QCOMPARE(need.total(), 23);
}

void tst_memory_estimate::anotherRunSharesWeightsAndProgram() {
  const MemoryEstimate need{.weights = 1000, .cache = 20, .scratch = 107, .program = 100};
  QCOMPARE(need.ofAnotherRun(), std::int64_t{27});
  const MemoryEstimate tiny = TinyNeeds({}).of(DType::F32);
  QVERIFY(tiny.program > 100'000'000);
  QVERIFY(tiny.ofAnotherRun() > tiny.cache && tiny.ofAnotherRun() < tiny.program);
}

void tst_memory_estimate::weightsThatFitBecomeResident() {
  const MemoryEstimate need{.weights = 5, .mapped = 3, .cache = 7, .scratch = 11};
  QVERIFY(need.placeWithin(23) == WeightPlace::Resident);
  QVERIFY(need.placeWithin(22) == WeightPlace::Mapped);
  QVERIFY(need.placeWithin(std::nullopt) == WeightPlace::Mapped);
}

void tst_memory_estimate::estimateForGivesTheListedEstimate() {
  const TinyNeeds tiny({});
  QCOMPARE(estimateFor(tiny.checkpoint(), DType::BF16, 10).total(),
           tiny.of(DType::BF16, 10).total());
}

void tst_memory_estimate::weightPlacesAreFoundByName() {
  for (const WeightPlace place : {WeightPlace::Resident, WeightPlace::Mapped})
    QVERIFY(weightPlaceFromName(weightPlaceName(place)) == place);
  QVERIFY(!weightPlaceFromName("auto"));
}

void tst_memory_estimate::rowsOfShortPromptsAreComputedTogether() {
  ModelSpec spec;
  spec.heads = 32;
  QCOMPARE(promptRows(spec, 1, 512), 512);
  QCOMPARE(promptRows(spec, 4096, 512), 512);
  QCOMPARE(promptRows(spec, 4096, 256), 256);
}

void tst_memory_estimate::scoresOfLongPromptsStayBounded() {
  ModelSpec spec;
  for (const std::int64_t heads : {1, 7, 32, 96})
    for (const std::int64_t positions : {5'000, 32'768, 100'000}) {
      spec.heads = heads;
      const std::int64_t rows = promptRows(spec, positions, kMostPromptRows);
      // At most 256 MiB of float32 scores, but at least 16 rows.
      QVERIFY(rows * heads * positions * 4 <= 256 << 20 || rows == 16);
      QVERIFY((rows + 1) * heads * positions * 4 > 256 << 20 || rows == kMostPromptRows);
    }
}

void tst_memory_estimate::extremeHeadCountsGiveBoundedRows() {
  constexpr std::int64_t kHuge = std::numeric_limits<std::int64_t>::max();
  ModelSpec spec;
  spec.heads = kHuge;
  QCOMPARE(promptRows(spec, kHuge, 512), 16);
  spec.heads = 0;
  QCOMPARE(promptRows(spec, 0, 8), 8);
}

EQUIPATCH_TEST(tst_memory_estimate)
#include "tst_memory_estimate.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/memory_estimate.h"

#include <algorithm>

#include "core/checkpoint/checkpoint.h"

namespace equipatch {
namespace {

using Bytes = std::int64_t;

constexpr std::int64_t kRows = 4;      // the most rows of a step
constexpr Bytes kProgram = 160 << 20;  // measured: libtorch, Qt, heap

// Stands for a product beyond 64 bits; a sum of several such products does not overflow.
constexpr Bytes kMost = INT64_MAX / 8;

/// kMost if the product exceeds 64 bits.
Bytes product(std::initializer_list<std::int64_t> factors) {
  Bytes result = 1;
  for (const std::int64_t factor : factors)
    if (__builtin_mul_overflow(result, factor, &result)) return kMost;
  return result;
}

/// Weights that a run of any dtype uses as the file stores them: matrices in MXFP4, and
/// the per-layer embeddings, which are read a row at a time.
struct Packed {
  std::int64_t elements = 0;
  Bytes bytes = 0;
};

bool isReadByRow(const std::string& name) {
  return name == "per_layer_embed";
}

Packed packedIn(const Checkpoint& checkpoint) {
  Packed packed;
  for (const auto& [name, weight] : checkpoint.weights()) {
    if (!weight.scales && !isReadByRow(name)) continue;
    const Bytes elements = weight.elements();
    packed.elements += elements;
    packed.bytes += isReadByRow(name)
                        ? elements * static_cast<Bytes>(byteSize(weight.stored.dtype))
                        : mxfp4Bytes(elements);
  }
  return packed;
}

/// Elements of the weights, except Packed's, that a run in this dtype uses as the file
/// stores them. Includes all vectors of this dtype: some are copied, but they are small.
std::int64_t elementsStoredAs(DType dtype, const Checkpoint& checkpoint) {
  std::int64_t elements = 0;
  for (const auto& [name, weight] : checkpoint.weights()) {
    const bool isUsed = weight.shape.size() == 1 ? weight.stored.dtype == dtype
                                                 : weight.isStoredAs(dtype);
    if (isUsed && !isReadByRow(name)) elements += weight.elements();
  }
  return elements;
}

/// Size of the inputs that a recurrent layer's convolution and gates read.
Bytes inputsOf(const DeltaNetSpec& delta, std::int64_t positions, Bytes size) {
  return product({positions, delta.channels() + 2 * delta.valueHeads, size});
}

/// Size of one layer's keys and values; for a recurrent layer, of two states and of the
/// inputs of the last positions.
Bytes layerCache(const ModelSpec& spec, const LayerSpec& layer, std::int64_t positions,
                 Bytes size) {
  if (layer.recurrent) {
    const DeltaNetSpec& delta = *spec.deltaNet;
    const Bytes wide = std::max<Bytes>(size, 4);
    return product({2, delta.valueHeads, delta.keyDim, delta.valueDim, wide}) +
           inputsOf(delta, delta.kernel - 1, size);
  }
  return product({2, spec.kvHeadsOf(layer), spec.headDimOf(layer), positions, size});
}

/// Peak memory besides weights and cache: the program and the larger of the layers'
/// buffers for a chunk of the prompt and the copies of a step's logits.
Bytes scratchOf(const ModelSpec& spec, std::int64_t positions, Bytes wide) {
  // At `positions`, a chunk has `rows` rows. A shorter prompt has smaller scores, so its
  // chunks may have `most` rows, for which activations are counted.
  const std::int64_t most = std::min(kMostPromptRows, positions);
  const std::int64_t rows = promptRows(spec, positions, most);
  std::int64_t inside = spec.width;
  for (const LayerSpec& layer : spec.layers)
    inside = std::max(
        {inside, spec.mlpWidthOf(layer), product({spec.heads, spec.headDimOf(layer)})});
  if (spec.moe) inside = std::max({inside, spec.moe->expertWidth, spec.moe->sharedWidth});
  const Bytes activations = product({most, inside, 4, wide});
  const Bytes scores = product({rows, spec.heads, positions, 3, wide});
  Bytes keys = 0;  // a wide copy of one layer's keys and values
  for (const LayerSpec& layer : spec.layers)
    keys = std::max(keys, layerCache(spec, layer, positions, wide));
  const Bytes logits = product({kRows, spec.vocabulary, 3, wide});
  return kProgram + std::max(activations + scores + keys, logits);
}

/// Attention scores are in memory only for kQueries queries of one head at a time.
Bytes towerOf(const Checkpoint& checkpoint, Bytes size, Bytes wide) {
  const auto& vision = checkpoint.spec().vision;
  if (!vision || checkpoint.visionWeights().empty()) return 0;
  constexpr std::int64_t kQueries = 512, kRowsOfWidth = 8, kRowsOfMlp = 3;
  const Bytes pixels = product({6, vision->imageSize, vision->imageSize, wide});
  const Bytes rows = product({vision->patches(), vision->width, kRowsOfWidth, wide}) +
                     product({vision->patches(), vision->mlpWidth, kRowsOfMlp, wide});
  const Bytes scores = product({kQueries, vision->patches(), 2, wide});
  return product({checkpoint.visionParameterCount(), size}) + pixels + rows + scores;
}

MemoryEstimate needOf(const Checkpoint& checkpoint, DType dtype, std::int64_t positions) {
  const ModelSpec& spec = checkpoint.spec();
  const auto size = static_cast<Bytes>(byteSize(dtype));
  const Bytes wide = dtype == DType::F64 ? 8 : 4;
  MemoryEstimate need;
  need.dtype = dtype;
  need.positions = std::min(positions, spec.maxPositions);
  const Packed packed = packedIn(checkpoint);
  need.weights = product({checkpoint.parameterCount() - packed.elements, size});
  need.weights += packed.bytes;
  need.mapped = product({elementsStoredAs(dtype, checkpoint), size}) + packed.bytes;
  for (const LayerSpec& layer : spec.layers) {
    if (!layer.keysOf)
      need.cache =
          std::min(need.cache + layerCache(spec, layer, need.positions, size), kMost);
    if (layer.recurrent)
      need.keptParts = std::min(
          need.keptParts + inputsOf(*spec.deltaNet, need.positions, size), kMost);
  }
  need.program = kProgram;
  need.scratch = scratchOf(spec, need.positions, wide);
  need.images = towerOf(checkpoint, size, wide);
  return need;
}

}  // namespace

std::string_view weightPlaceName(WeightPlace place) {
  return place == WeightPlace::Resident ? "resident" : "mapped";
}

std::optional<WeightPlace> weightPlaceFromName(std::string_view name) {
  for (const WeightPlace place : {WeightPlace::Resident, WeightPlace::Mapped})
    if (name == weightPlaceName(place)) return place;
  return std::nullopt;
}

WeightPlace MemoryEstimate::placeWithin(std::optional<std::int64_t> freeBytes) const {
  return freeBytes && total() <= *freeBytes ? WeightPlace::Resident : WeightPlace::Mapped;
}

std::vector<MemoryEstimate> memoryEstimates(const Checkpoint& checkpoint,
                                            std::int64_t positions) {
  std::vector<MemoryEstimate> needs;
  for (const DType dtype : kRunDTypes)
    needs.push_back(estimateFor(checkpoint, dtype, positions));
  return needs;
}

MemoryEstimate estimateFor(const Checkpoint& checkpoint, DType dtype,
                           std::int64_t positions) {
  return needOf(checkpoint, dtype, std::max<std::int64_t>(positions, 1));
}

std::int64_t promptRows(const ModelSpec& spec, std::int64_t positions,
                        std::int64_t most) {
  constexpr std::int64_t kMostScores = std::int64_t{1} << 26, kFewest = 16;
  // Divide twice: the product may exceed 64 bits.
  const std::int64_t rows = kMostScores / std::max<std::int64_t>(1, positions) /
                            std::max<std::int64_t>(1, spec.heads);
  return std::clamp(rows, std::min(kFewest, most), most);
}

}  // namespace equipatch

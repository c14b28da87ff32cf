// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/dtype.h"
#include "core/checkpoint/spec.h"

namespace equipatch {

class Checkpoint;

/// Dtypes that a model can run in, widest first.
inline constexpr std::array kRunDTypes{DType::F64, DType::F32, DType::BF16, DType::F16};

/// Where a loaded model's weights are kept. Results do not depend on the place.
enum class WeightPlace {
  Resident,  ///< copied into memory, except matrices in MXFP4 and per-layer embeddings,
             ///< which stay in the mapped files; the fastest
  Mapped,    ///< left in the mapped files if stored in the form that the run uses
};

std::string_view weightPlaceName(WeightPlace place);  ///< "resident", "mapped"
std::optional<WeightPlace> weightPlaceFromName(std::string_view name);

/// Estimated memory, in bytes, that a run needs, from the headers of the model's files.
struct MemoryEstimate {
  DType dtype = DType::F32;
  /// The text model's weights in this dtype. Matrices in MXFP4 and per-layer embeddings
  /// count as stored.
  std::int64_t weights = 0;
  /// Part of `weights` that WeightPlace::Mapped does not copy.
  std::int64_t mapped = 0;
  /// Keys and values of `positions` positions; for recurrent layers, the states and the
  /// inputs of the last positions.
  std::int64_t cache = 0;
  std::int64_t scratch = 0;    ///< activations, attention scores, logits, program
  std::int64_t program = 0;    ///< part of `scratch` that a process needs once
  std::int64_t positions = 0;  ///< length of the text, in tokens
  /// The vision tower and its activations, in memory only while the tower reads an image;
  /// 0 without a usable tower.
  std::int64_t images = 0;
  /// The inputs of `positions` positions that recurrent layers also hold if the run keeps
  /// parts of its context; 0 without recurrent layers.
  std::int64_t keptParts = 0;

  /// Without `images` and `keptParts`.
  std::int64_t total() const { return weights + cache + scratch; }
  /// What each further simultaneous run of the loaded model adds in the same process.
  std::int64_t ofAnotherRun() const { return cache + scratch - program; }
  /// Mapped if `total` exceeds `freeBytes` or `freeBytes` is absent.
  WeightPlace placeWithin(std::optional<std::int64_t> freeBytes) const;
};

/// Estimates for each of kRunDTypes, in their order.
/// @param positions clamped to at least 1 and at most the model's maximum
std::vector<MemoryEstimate> memoryEstimates(const Checkpoint& checkpoint,
                                            std::int64_t positions = 2048);

/// As `memoryEstimates`, for one dtype.
MemoryEstimate estimateFor(const Checkpoint& checkpoint, DType dtype,
                           std::int64_t positions = 2048);

/// The largest `most` for promptRows. Large, so that a prompt takes few products: a BLAS
/// packs the weight matrix anew for each.
inline constexpr std::int64_t kMostPromptRows = 512;

/// Number of prompt rows that pass through the layers together: the largest number up to
/// `most` whose attention scores over `positions` take at most 256 MiB in float32, but at
/// least min(16, most).
std::int64_t promptRows(const ModelSpec& spec, std::int64_t positions, std::int64_t most);

}  // namespace equipatch

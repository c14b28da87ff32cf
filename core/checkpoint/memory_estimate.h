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

/// Where a loaded model's weights are kept. Results do not depend on it.
enum class WeightPlace {
  Resident,  ///< copied into memory, in large pages: the fastest. Matrices in MXFP4 and
             ///< per-layer embeddings stay in the mapped files
  Mapped,    ///< left in the mapped files if stored in the form that the run uses; the
             ///< system may drop such weights from memory and read them again
};

std::string_view weightPlaceName(WeightPlace place);  ///< "resident", "mapped"
std::optional<WeightPlace> weightPlaceFromName(std::string_view name);

/// Estimated memory, in bytes, that a run of a model in a dtype needs, from the headers
/// of the model's files. Compare it with the available memory before loading.
struct MemoryEstimate {
  DType dtype = DType::F32;
  /// The text model's weights in this dtype. Matrices in MXFP4 and per-layer embeddings
  /// count as stored, because every run uses them in their stored form.
  std::int64_t weights = 0;
  /// Part of `weights` that WeightPlace::Mapped uses in the mapped file, without a copy.
  std::int64_t mapped = 0;
  /// Keys and values of `positions` positions; for recurrent layers, the states and the
  /// inputs of the last positions.
  std::int64_t cache = 0;
  std::int64_t scratch = 0;    ///< activations, attention scores, logits, program
  std::int64_t program = 0;    ///< part of `scratch` that a process needs once
  std::int64_t positions = 0;  ///< length of the text, in tokens
  /// The vision tower and its activations, in memory only while the tower reads an image;
  /// 0 for a model without a tower.
  std::int64_t images = 0;
  /// The inputs of `positions` positions that recurrent layers hold in addition, only in
  /// a run that keeps parts of its context; 0 for a model without such layers.
  std::int64_t keptParts = 0;

  /// Without `images` and `keptParts`.
  std::int64_t total() const { return weights + cache + scratch; }
  /// What another run of the loaded model adds, in the same process at the same time.
  std::int64_t ofAnotherRun() const { return cache + scratch - program; }
  /// Resident if `total` fits into the free memory; Mapped if it does not, or if
  /// `freeBytes` is absent.
  WeightPlace placeWithin(std::optional<std::int64_t> freeBytes) const;
};

/// Estimates for each of kRunDTypes, in their order. `positions` is clamped to at least 1
/// and at most the model's maximum; the default suits a long prompt.
std::vector<MemoryEstimate> memoryEstimates(const Checkpoint& checkpoint,
                                            std::int64_t positions = 2048);

/// The estimate for one dtype.
MemoryEstimate estimateFor(const Checkpoint& checkpoint, DType dtype,
                           std::int64_t positions = 2048);

/// The largest `most` with which promptRows is called. A BLAS packs a matrix again for
/// each product, so more rows at a time mean fewer packings.
inline constexpr std::int64_t kMostPromptRows = 512;

/// Number of prompt rows that pass through the layers together: `most`, or fewer, so that
/// their attention scores over `positions` stay within 256 MiB in float32, but at least
/// min(16, most).
std::int64_t promptRows(const ModelSpec& spec, std::int64_t positions, std::int64_t most);

}  // namespace equipatch

#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/base/dtype.h"
#include "core/checkpoint/spec.h"

namespace equipatch {

class Checkpoint;

/// The dtypes a model can run in, widest first.
inline constexpr std::array kRunDTypes{DType::F64, DType::F32, DType::BF16, DType::F16};

/// What running a model in a dtype takes, in bytes. An estimate from the files' headers,
/// meant to be compared with the free memory before anything is loaded.
struct MemoryEstimate {
  DType dtype = DType::F32;
  std::int64_t weights = 0;  ///< all weights in this dtype
  std::int64_t mapped = 0;   ///< of these, used where the file is mapped: no copy is made
  std::int64_t cache = 0;    ///< keys and values of `positions` positions
  std::int64_t scratch = 0;  ///< activations, logits, patches and the program itself
  std::int64_t positions = 0;

  std::int64_t total() const { return weights + cache + scratch; }
};

/// For each of kRunDTypes. `positions` is cut to what the model has; the default is a
/// long prompt's worth.
std::vector<MemoryEstimate> memoryEstimates(const Checkpoint& checkpoint,
                                            std::int64_t positions = 2048);

/// The most rows of a prompt that go through the blocks together. A BLAS packs a matrix
/// anew for each product: the more rows, the fewer times.
inline constexpr std::int64_t kMostPromptRows = 512;

/// How many rows of a prompt go through the blocks together: `most`, or so few that their
/// attention scores over `positions` stay within 256 MB in float32, but at least 16.
std::int64_t promptRows(const ModelSpec& spec, std::int64_t positions, std::int64_t most);

}  // namespace equipatch

#pragma once

#include <cstdint>

#include "core/checkpoint/spec.h"

namespace equipatch {

/// How large the balanced patch of one token is, in numbers, over all layers.
struct PatchSize {
  std::int64_t changed = 0;  ///< weights it changes: whole matrices, scales, biases
  std::int64_t made = 0;     ///< numbers it is made of: u and wᵀ of each, Δm, Δb

  bool operator==(const PatchSize&) const = default;
};

/// From the spec alone. Of a mixture of experts the experts that a token uses count, and
/// the router.
PatchSize patchSize(const ModelSpec& spec);

}  // namespace equipatch

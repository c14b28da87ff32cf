#pragma once

#include <cstdint>

#include "core/checkpoint/spec.h"

namespace equipatch {

/// The most rows of a prompt that go through the blocks together. A BLAS packs a matrix
/// anew for each product: the more rows, the fewer times.
inline constexpr std::int64_t kMostPromptRows = 512;

/// How many rows of a prompt go through the blocks together: `most`, or so few that their
/// attention scores over `positions` stay within 256 MB in float32, but at least 16.
std::int64_t promptRows(const ModelSpec& spec, std::int64_t positions, std::int64_t most);

}  // namespace equipatch

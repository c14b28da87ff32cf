#pragma once

#include <cstdint>

#include "core/checkpoint/spec.h"

namespace equipatch {

/// The most rows of a prompt that go through the blocks together: a BLAS packs a matrix
/// anew for each product, and so the less, the more rows it has.
inline constexpr std::int64_t kMostPromptRows = 512;

/// How many rows of a prompt go through the blocks together: `most`, or so few that their
/// attention scores over `positions` stay within 256 MB in float32.
std::int64_t promptRows(const ModelSpec& spec, std::int64_t positions, std::int64_t most);

}  // namespace equipatch

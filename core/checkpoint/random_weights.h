#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "core/base/dtype.h"
#include "core/checkpoint/safetensors.h"
#include "core/checkpoint/spec.h"

namespace equipatch {

/// How large drawn numbers are.
enum class Magnitude {
  Small,  ///< 2⁻⁶ to 2⁻⁵, of either sign: as trained matrices are, about
  One,    ///< 1 to 2, as scales of norms are
};

/// Fills memory with random numbers of a floating dtype, equal for equal seeds on every
/// machine. All are finite and none is subnormal.
/// @param bytes a multiple of 8
void fillRandom(std::span<std::byte> bytes, DType dtype, Magnitude magnitude,
                std::uint64_t seed);

/// The stored tensors that a description binds, by their names without prefix, in one
/// memory that is filled in place.
/// @throws Error{Resource} where that is more than the free memory.
std::map<std::string, TensorView> randomWeights(const ModelDescription& description,
                                                DType dtype);

}  // namespace equipatch

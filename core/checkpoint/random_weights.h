// SPDX-License-Identifier: GPL-3.0-or-later
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

/// Magnitude of random values.
enum class Magnitude {
  Small,  ///< 2⁻⁶ to 2⁻⁵ of either sign, about as in trained matrices
  One,    ///< 1 to 2, as in scales of norms
};

/// Fills memory with random values of a floating dtype, the same for equal seeds on every
/// machine. All are finite and none is subnormal.
/// @param bytes a multiple of 8 bytes
/// @throws Error{BadInput} for a dtype that is not floating.
void fillRandom(std::span<std::byte> bytes, DType dtype, Magnitude magnitude,
                std::uint64_t seed);

/// Tensors of random values for these bindings of a model, in one block of memory. The
/// keys of the map are stored names without prefix. A matrix in MXFP4 becomes two tensors
/// of bytes, its blocks and its scales, whatever the dtype.
/// @throws Error{Resource} when the tensors exceed the available memory; Error{BadInput}
///         for a dtype that is not floating.
std::map<std::string, TensorView> randomWeights(
    const std::vector<TensorBinding>& bindings, const ModelSpec& spec, DType dtype);

}  // namespace equipatch

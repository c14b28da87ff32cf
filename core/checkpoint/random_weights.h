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

enum class Magnitude {
  Small,  ///< 2⁻⁶ to 2⁻⁵ of either sign, about as in trained matrices
  One,    ///< 1 to 2, as in scales of norms
};

/// Fills memory with random values of a floating dtype. Equal seeds give equal values on
/// every machine.
/// @param bytes a multiple of 8 bytes
/// @throws Error{BadInput} for a dtype that is not floating.
void fillRandom(std::span<std::byte> bytes, DType dtype, Magnitude magnitude,
                std::uint64_t seed);

/// Random values for the tensors that contain these weights. The map's keys are stored
/// names without prefix. A matrix in MXFP4 becomes two tensors of bytes, its blocks and
/// its scales, whatever the dtype.
/// @throws Error{Resource} when the tensors exceed the available memory; Error{BadInput}
///         for a dtype that is not floating.
std::map<std::string, TensorView> randomWeights(
    const std::vector<TensorBinding>& bindings, const ModelSpec& spec, DType dtype);

}  // namespace equipatch

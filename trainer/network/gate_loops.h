#pragma once

#include <cstdint>

namespace equipatch {

/// GeGLU: out[row, i] = gelu(in[row, i]) · in[row, width + i], gelu by tanh.
/// in [rows, 2 width], out [rows, width].
template <typename Element>
void applyGate(std::int64_t rows, std::int64_t width, const Element* in, Element* out);

/// dIn [rows, 2 width] = …, from `in` and dOut [rows, width].
template <typename Element>
void applyGateBackward(std::int64_t rows, std::int64_t width, const Element* in,
                       const Element* dOut, Element* dIn);

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernel/mxfp4.h"
#include "core/model/torch_types.h"

namespace equipatch {

/// A matrix in MXFP4. The tensors are views of the mapped file, in host memory.
struct PackedMatrix {
  Tensor blocks;  ///< U8 [outputs, inputs / 32, 16]; gaps between rows are possible
  Tensor scales;  ///< U8 [outputs, inputs / 32]

  bool defined() const { return blocks.defined(); }
  Mxfp4Matrix matrix() const;
};

struct Linear {
  Tensor weight;      ///< [outputs, inputs], in the run's dtype; undefined where packed
  Tensor bias;        ///< [outputs], wide; undefined when there is none
  double norm = 0.0;  ///< ‖W‖_F; may be 0 if no patch can change the matrix
  PackedMatrix packed = {};  ///< defined instead of `weight` if in MXFP4

  bool exists() const { return weight.defined() || packed.defined(); }
  std::int64_t outputs() const {
    return (packed.defined() ? packed.blocks : weight).size(0);
  }
  std::int64_t inputs() const;
  /// [count, inputs]: a view of `weight`, or expanded rows of `packed` (expandRows).
  /// @param as dtype and device of the run's weights
  Tensor rows(std::int64_t first, std::int64_t count, at::TensorOptions as) const;
};

/// ‖W‖_F in double precision.
double frobeniusNorm(const Tensor& weight);
double frobeniusNorm(const Linear& linear);

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/spec.h"
#include "core/model/weights.h"
#include "tests/core/model/eigen_tensor.h"

namespace equipatch::test {

/// A small model of one layer. Its width is a multiple neither of the number of heads nor
/// of headDim.
ModelSpec smallSpec();

/// Weights of the spec's first layer. Equal arguments give equal values.
LayerWeights randomWeights(const ModelSpec& spec, const Arithmetic& arithmetic);

/// The spec must have a deltaNet.
DeltaNetWeights randomDeltaNet(const ModelSpec& spec, const Arithmetic& arithmetic);

/// Per-layer embeddings [rows, 1, perLayerWidth] in float64, the same in every row;
/// undefined if the spec has none.
Tensor perLayerRows(const ModelSpec& spec, std::int64_t rows);

}  // namespace equipatch::test

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/spec.h"
#include "core/model/weights.h"
#include "tests/core/model/eigen_tensor.h"

namespace equipatch::test {

/// A small model of one layer. Its width is no multiple of the number of heads and no
/// multiple of the head size.
ModelSpec smallSpec();

/// Random weights for a layer of the spec.
LayerWeights randomWeights(const ModelSpec& spec, const Arithmetic& arithmetic);

/// Random parameters of the spec's Gated DeltaNet.
DeltaNetWeights randomDeltaNet(const ModelSpec& spec, const Arithmetic& arithmetic);

/// Per-layer embeddings of one token in every row [rows, 1, perLayerWidth], in float64;
/// an undefined tensor if the spec has no per-layer embeddings.
Tensor perLayerRows(const ModelSpec& spec, std::int64_t rows);

}  // namespace equipatch::test

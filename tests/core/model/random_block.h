// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/spec.h"
#include "core/model/weights.h"
#include "tests/core/model/eigen_tensor.h"

namespace equipatch::test {

/// A small model of one layer whose width is a multiple neither of its number of heads
/// nor of their size.
ModelSpec smallSpec();

/// Random weights for a layer of the spec.
LayerWeights randomWeights(const ModelSpec& spec, const Arithmetic& arithmetic);

/// Random parameters of the spec's Gated DeltaNet.
DeltaNetWeights randomDeltaNet(const ModelSpec& spec, const Arithmetic& arithmetic);

/// Per-layer embeddings of one token in every row [rows, 1, perLayerWidth], in float64;
/// an undefined tensor if the spec has no per-layer embeddings.
Tensor perLayerRows(const ModelSpec& spec, std::int64_t rows);

}  // namespace equipatch::test

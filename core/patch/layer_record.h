// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace equipatch {

// Plain data: the builders fill it, run files and exports store it.

/// By how much a patch changes one matrix, or the matrices with the same name of all
/// experts in use together.
struct MatrixPatchNorm {
  std::string matrix;     ///< "gate", "up", "in", "down", "router", …: see matrixName
  double norm = 0.0;      ///< ‖ΔW‖_F; of a rank-1 change also the spectral norm
  double relative = 0.0;  ///< ‖ΔW‖_F / ‖W‖_F; 0 where ‖W‖_F is 0

  bool operator==(const MatrixPatchNorm&) const = default;
};

/// The name under which LayerRecord::matrices also lists the change of a scale: that of
/// the norm after a dense MLP beside experts.
inline const std::string kDenseScale = "dense_scale";

/// One layer of a patch: how large the patch is, and how close the layer's output comes
/// to the contextual pass's. If the patched pass runs with only a part of the patch
/// (PatchStrength), hiddenError describes that pass. All other values describe the whole
/// patch and the pass that built it.
struct LayerRecord {
  std::vector<MatrixPatchNorm> matrices;
  double scaleNorm = 0.0;  ///< ‖Δm‖₂; 0 where no norm's scale closes the block
  double scaleMax = 0.0;   ///< max |Δm|
  /// Δm [width]; empty where there is no norm scale, and in the copies that
  /// withoutVectors makes.
  std::vector<float> scaleDelta;
  double biasNorm = 0.0;  ///< ‖Δb‖₂
  /// The experts that the patched pass uses, ascending. In the open loop: the experts of
  /// the open-loop row (BuilderRows::source); the patched pass may use others.
  std::vector<std::int64_t> experts;
  double gateSum = 0.0;          ///< sum of their gates, a shared expert's included
  double effect = 0.0;           ///< ‖Δv‖ / ‖v‖
  double zNorm = 0.0;            ///< ‖z‖
  double zCosine = 0.0;          ///< cos(z, z_C)
  double hiddenError = 0.0;      ///< ‖x' − x_C‖ / ‖x_C‖ of resid_post
  double smallestDivisor = 0.0;  ///< `direct`: the smallest divisor |n|; else 0
  bool hardCase = false;         ///< `stable`: the hard case of stable_scale.h
  std::int64_t guarded = 0;      ///< components and matrices with a degenerate case
  std::string note;              ///< those cases in words, each once; usually empty

  /// Null where this layer has no such matrix, such as the router in a dense layer of a
  /// MoE model.
  const MatrixPatchNorm* find(const std::string& matrix) const {
    for (const MatrixPatchNorm& norm : matrices)
      if (norm.matrix == matrix) return &norm;
    return nullptr;
  }

  bool operator==(const LayerRecord&) const = default;
};

}  // namespace equipatch

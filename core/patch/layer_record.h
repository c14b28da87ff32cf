// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace equipatch {

/// How much a patch changes a matrix. Matrices of the same name in all experts in use
/// count as one.
struct MatrixPatchNorm {
  std::string matrix;     ///< "gate", "up", "in", "down", "router", …: see matrixName
  double norm = 0.0;      ///< ‖ΔW‖_F; of a rank-1 change also the spectral norm
  double relative = 0.0;  ///< ‖ΔW‖_F / ‖W‖_F; 0 where ‖W‖_F is 0

  bool operator==(const MatrixPatchNorm&) const = default;
};

/// The name in LayerRecord::matrices for m₁, the scale of the norm after a dense MLP
/// beside experts.
inline const std::string kDenseScale = "dense_scale";

/// Size and error of one layer's patch. hiddenError describes the patched pass, which may
/// run with only a part of the patch (PatchStrength). All other values describe the whole
/// patch and the pass that built it.
struct LayerRecord {
  std::vector<MatrixPatchNorm> matrices;
  double scaleNorm = 0.0;  ///< ‖Δm‖₂; 0 where no norm's scale closes the block
  double scaleMax = 0.0;   ///< max |Δm|
  /// Δm [width]; empty where no norm's scale closes the block, and in copies made by
  /// withoutVectors.
  std::vector<float> scaleDelta;
  double biasNorm = 0.0;  ///< ‖Δb‖₂
  /// The experts that the patched row uses, ascending. In the open loop: those that the
  /// open-loop row uses; the patched row may use different experts.
  std::vector<std::int64_t> experts;
  double gateSum = 0.0;          ///< sum of the gates of `experts` and a shared expert
  double effect = 0.0;           ///< ‖Δv‖ / ‖v‖
  double zNorm = 0.0;            ///< ‖z‖
  double zCosine = 0.0;          ///< cos(z, z_C)
  double hiddenError = 0.0;      ///< ‖x' − x_C‖ / ‖x_C‖ of resid_post
  double smallestDivisor = 0.0;  ///< `direct`: the smallest divisor |n|; else 0
  bool hardCase = false;         ///< `stable`: the hard case of stable_scale.h
  std::int64_t guarded = 0;      ///< components and matrices with a degenerate case
  std::string note;              ///< the degenerate cases in words, each once

  /// Null where the layer has no such matrix.
  const MatrixPatchNorm* find(const std::string& matrix) const {
    for (const MatrixPatchNorm& norm : matrices)
      if (norm.matrix == matrix) return &norm;
    return nullptr;
  }

  bool operator==(const LayerRecord&) const = default;
};

}  // namespace equipatch

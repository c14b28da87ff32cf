#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/patch/rank_one.h"

namespace equipatch {

/// By how much a patch changes a matrix, or the matrices of all experts in use together.
struct MatrixChange {
  std::string matrix;     ///< "gate", "down", "router": see matrixName
  double norm = 0.0;      ///< ‖ΔW‖_F
  double relative = 0.0;  ///< ‖ΔW‖_F / ‖W‖_F
};

/// What building one layer's patch showed.
struct LayerDiagnostics {
  std::vector<MatrixChange> matrices;
  Vector scaleDelta;                  ///< Δm [width]; empty without a closing scale
  Vector biasDelta;                   ///< Δb [width]; empty where no bias was patched
  std::vector<std::int64_t> experts;  ///< that the token used, ascending
  double gateSum = 0.0;               ///< S of those experts, the shared one included
  double effect = 0.0;                ///< ‖Δv‖ / ‖v‖
  double zNorm = 0.0;                 ///< ‖z‖
  double zCosine = 1.0;               ///< cos(z, z_C)
  double smallestDivisor = 0.0;  ///< smallest |n| divided by; 0 where nothing is divided
  bool hardCase = false;         ///< `stable`: μ stands at its bound
  std::int64_t guarded = 0;      ///< components a degenerate case was handled in
  std::string note;              ///< the degenerate case in words
  Vector v, z;                   ///< of the token without its context [width]
};

}  // namespace equipatch

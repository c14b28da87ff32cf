#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/patch/rank_one.h"

namespace equipatch {

/// What building one layer's patch showed.
struct LayerDiagnostics {
  double gateNorm = 0.0, upNorm = 0.0, downNorm = 0.0;              ///< ‖ΔW‖_F
  double gateRelative = 0.0, upRelative = 0.0, downRelative = 0.0;  ///< over ‖W‖_F
  Vector scaleDelta;             ///< Δm [width]; empty without a closing scale
  double effect = 0.0;           ///< ‖Δv‖ / ‖v‖
  double zNorm = 0.0;            ///< ‖z‖
  double zCosine = 1.0;          ///< cos(z, z_C)
  double smallestDivisor = 0.0;  ///< smallest |n| divided by; 0 where nothing is divided
  std::int64_t guarded = 0;      ///< components a degenerate case was handled in
  std::string note;              ///< the degenerate case in words
};

}  // namespace equipatch

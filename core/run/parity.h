#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/base/dtype.h"

namespace equipatch {

/// How far this build's results lie from those Hugging Face transformers computed for one
/// golden checkpoint (config.json, weights, golden.safetensors), all in float32.
struct GoldenResult {
  std::string name;  ///< the folder's last part
  std::string architecture;
  double logits = 0.0;   ///< largest |Δ| of all positions, also of the single token
  double hidden = 0.0;   ///< largest |Δ| of the layers' inputs and after the final norm
  double modules = 0.0;  ///< largest |Δ| of attention's and feed-forward's outputs
  bool greedy = false;   ///< the greedy continuation is the same, token by token

  double largest() const;
  bool equal() const;  ///< within kGoldenTolerance, and greedy
};

/// Weights were rounded to the stored dtype before the reference was computed, so that
/// only the order of float32 sums is left to differ.
inline constexpr double kGoldenTolerance = 1e-4;

/// The claim of the papers on a golden checkpoint: a comparison run with the default
/// patch and all context absorbed.
struct PatchResult {
  DType dtype = DType::F32;
  std::int64_t steps = 0;
  std::int64_t matches = 0;
  double linf = 0.0;      ///< largest of all steps
  double bareLinf = 0.0;  ///< median of the control: what the patch had to supply

  double ratio() const;  ///< linf / bareLinf
  /// All tokens match, and the ratio is at most 1e-4 in float32, 1e-10 in float64.
  bool holds() const;
};

struct PatchCheck {
  std::filesystem::path folder;
  DType dtype = DType::F32;
  std::int64_t steps = 64;  ///< fewer where the model's positions end
};

}  // namespace equipatch

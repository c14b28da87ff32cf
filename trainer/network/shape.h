#pragma once

#include <cstdint>

namespace equipatch {

/// head_dim. Fixed when the trainer is built: the loops over a head stay in registers.
inline constexpr std::int64_t kHeadDim = 32;

/// Sizes of a Gemma 3 text model, under Hugging Face's names for them where they differ.
struct NetworkShape {
  std::int64_t vocabulary = 0;
  std::int64_t width = 192;     ///< hidden_size
  std::int64_t mlpWidth = 384;  ///< intermediate_size
  std::int64_t layers = 8;
  std::int64_t heads = 6;
  std::int64_t kvHeads = 2;
  std::int64_t window = 64;        ///< tokens that a local layer sees, itself included
  std::int64_t windowPattern = 2;  ///< each so-many-th layer is global, the others local
  std::int64_t maxPositions = 1024;
  double localPeriod = 1e4;   ///< rope_local_base_freq
  double globalPeriod = 1e5;  ///< rope_theta
  double epsilon = 1e-6;      ///< rms_norm_eps

  bool isLocal(std::int64_t layer) const { return (layer + 1) % windowPattern != 0; }
  std::int64_t queryWidth() const { return heads * kHeadDim; }
  std::int64_t keyWidth() const { return kvHeads * kHeadDim; }
  bool operator==(const NetworkShape&) const = default;
};

}  // namespace equipatch

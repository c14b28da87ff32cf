// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/checkpoint/checkpoint.h"
#include "core/model/norm.h"
#include "core/model/not_finite.h"
#include "core/model/weights.h"

namespace equipatch {

/// Receives the tower's activations by name:
/// - [patches, width]: vision_hidden_states.i (the input of layer i; the last one is the
///   final norm's input), vis_attn_out.i and vis_mlp_out.i (before the residual sum),
///   vision_last_hidden_state (the final norm's output)
/// - [tokens, width of the text model]: image_features
class TowerHooks {
 public:
  virtual ~TowerHooks() = default;
  virtual void hookSite(const std::string& /*name*/, const Tensor& /*x*/) {}
};

/// A SigLIP vision transformer and the projector after it (VisionSpec), which turn an
/// image into embeddings for the text model. Immutable.
class VisionTower {
 public:
  /// @param checkpoint with a vision tower whose `VisionSpec::problem` is empty
  /// @throws Error{Cancelled} if `progress` is stopped; Error{BadInput} naming a file of
  /// which a part can no longer be read
  VisionTower(const Checkpoint& checkpoint, const Arithmetic& arithmetic,
              Progress& progress);

  /// @param pixels [3, imageSize, imageSize], see pixelValues
  /// @returns [tokens, width of the text model], rounded, in the wide dtype
  /// @throws Error{Cancelled} soon after `progress` is stopped; Error{Numeric}, naming a
  /// damaged parameter or the dtype, if a row is not finite; Error{BadInput} as the
  /// constructor
  Tensor rows(const Tensor& pixels, TowerHooks& hooks, Progress& progress) const;

 private:
  struct Layer {
    NormWeights attn_norm, mlp_norm;
    Linear W_q, W_k, W_v, W_o;  ///< [width, width]
    Linear W_in, W_down;        ///< [mlpWidth, width], [width, mlpWidth]
  };

  Tensor embedded(const Tensor& pixels) const;
  Tensor attention(const Layer& layer, const Tensor& x, const Progress& progress) const;
  Tensor feedForward(const Layer& layer, const Tensor& x) const;
  Tensor pooled(const Tensor& x) const;
  Tensor linear(const Tensor& x, const Linear& weights) const;
  Tensor normed(const Tensor& x, const NormWeights& weights) const;

  VisionSpec m_spec;
  Arithmetic m_arithmetic;
  Linear m_patch;      ///< [width, 3·patch·patch]
  Tensor m_positions;  ///< [patches, width], wide
  std::vector<Layer> m_layers;
  NormWeights m_norm;
  NormWeights m_pooledNorm;  ///< m = 1 + w, as in Gemma's norms
  Linear m_projector;        ///< [width of the text model, width]
  Parameters m_parameters;   ///< all weights above, as read
  WeightFiles m_files;
};

}  // namespace equipatch

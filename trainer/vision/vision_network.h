// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "trainer/vision/vision_shape.h"

namespace equipatch {

/// For each scene, a prefix with the image's tokens, then several texts about the scene.
/// The positions of every text begin directly after the prefix, and no text sees another,
/// as if each text stood alone after the prefix.
struct SceneBatch {
  std::int64_t scenes = 0;
  std::int64_t length = 0;        ///< tokens of the longest scene
  std::int64_t imageBegin = 0;    ///< index of the image's first token in every scene
  std::vector<float> pixels;      ///< [scenes, 3, side, side]
  std::vector<std::int64_t> ids;  ///< [scenes, length], like positions and texts
  std::vector<std::int64_t> positions;
  /// The number of each token's text, from 1; 0: prefix, −1: padding.
  std::vector<std::int32_t> texts;
  /// Ascending indices in the flattened `ids`: the tokens whose logits predict a target.
  std::vector<std::int64_t> rows;
  std::vector<std::int64_t> successors;  ///< [rows] the targets' ids

  std::int64_t tokens() const { return scenes * length; }
};

/// Gemma 3 with its vision tower, on libtorch's autograd. Several threads may compute at
/// once, but not during setParameters().
class VisionNetwork {
 public:
  virtual ~VisionNetwork() = default;

  static std::unique_ptr<VisionNetwork> create(const VisionShape& shape,
                                               Precision precision);

  virtual const VisionLayout& layout() const = 0;

  /// @param parameters [layout().size()], not copied: they must outlive all later
  /// computations, which read their present values
  virtual void setParameters(std::span<const float> parameters) = 0;

  /// The cross entropy at each of the batch's `rows`, in order.
  virtual std::vector<float> losses(const SceneBatch& batch) const = 0;

  /// Returns the losses and adds scale · ∂(sum of losses)/∂parameters to `gradient`.
  virtual std::vector<float> backpropagate(const SceneBatch& batch, float scale,
                                           std::span<float> gradient) const = 0;

  /// The logits at the batch's `rows`, [rows, vocabulary].
  virtual std::vector<float> logits(const SceneBatch& batch) const = 0;
};

}  // namespace equipatch

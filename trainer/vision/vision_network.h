// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "trainer/vision/vision_shape.h"

namespace equipatch {

/// Scenes, each with several texts about it. A row holds a prefix with the image's
/// tokens, then the texts one after the other. The positions of every text begin directly
/// after the prefix, and no text sees another, as if each text were alone in the row.
struct SceneBatch {
  std::int64_t scenes = 0;
  std::int64_t length = 0;        ///< of the longest row
  std::int64_t imageBegin = 0;    ///< index of the image's first token in every row
  std::vector<float> pixels;      ///< [scenes, 3, side, side]
  std::vector<std::int64_t> ids;  ///< [scenes, length], like positions and texts
  std::vector<std::int64_t> positions;
  /// The number of each token's text, from 1; 0: prefix, −1: padding.
  std::vector<std::int32_t> texts;
  /// The rows that enter the loss: indices in `ids` of the tokens before the targets,
  /// ascending.
  std::vector<std::int64_t> rows;
  std::vector<std::int64_t> successors;  ///< [rows] the targets: the token after each row

  std::int64_t tokens() const { return scenes * length; }
};

/// Gemma 3 with its vision tower, on libtorch's autograd. Several threads may compute at
/// once, but not while a thread sets parameters.
class VisionNetwork {
 public:
  virtual ~VisionNetwork() = default;

  static std::unique_ptr<VisionNetwork> create(const VisionShape& shape,
                                               Precision precision);

  virtual const VisionLayout& layout() const = 0;

  /// @param parameters [layout().size()], must outlive all later computations. They are
  /// not copied: each computation reads their present values.
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

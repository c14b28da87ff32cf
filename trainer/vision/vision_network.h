// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "trainer/vision/vision_shape.h"

namespace equipatch {

/// Scenes, each with several texts about it that do not see each other: a row holds the
/// tokens up to the end of the image and then every text from the same position on, as if
/// each had a picture of its own.
struct SceneBatch {
  std::int64_t scenes = 0;
  std::int64_t length = 0;        ///< of the longest row
  std::int64_t imageBegin = 0;    ///< index of the image's first token, the same in all
  std::vector<float> pixels;      ///< [scenes, 3, side, side]
  std::vector<std::int64_t> ids;  ///< [scenes, length], likewise:
  std::vector<std::int64_t> positions;
  std::vector<std::int32_t>
      texts;  ///< 0: before all texts, from 1: its text, −1: padding
  std::vector<std::int64_t> rows;        ///< tokens whose successor is learned, ascending
  std::vector<std::int64_t> successors;  ///< [rows] the tokens that follow them

  std::int64_t tokens() const { return scenes * length; }
};

/// Gemma 3 with its vision tower; libtorch differentiates it. Any thread may compute
/// while no thread sets parameters.
class VisionNetwork {
 public:
  virtual ~VisionNetwork() = default;

  static std::unique_ptr<VisionNetwork> create(const VisionShape& shape,
                                               Precision precision);

  virtual const VisionShape& shape() const = 0;
  virtual const VisionLayout& layout() const = 0;

  /// @param parameters [layout().size()], must outlive all later computations.
  virtual void setParameters(std::span<const float> parameters) = 0;

  /// Cross entropy of every learned row of the batch, in order.
  virtual std::vector<float> losses(const SceneBatch& batch) const = 0;

  /// Returns the losses and adds scale · ∂(sum of losses)/∂parameters to `gradient`.
  virtual std::vector<float> backpropagate(const SceneBatch& batch, float scale,
                                           std::span<float> gradient) const = 0;

  /// [rows, vocabulary], for the batch's learned rows.
  virtual std::vector<float> logits(const SceneBatch& batch) const = 0;
};

}  // namespace equipatch

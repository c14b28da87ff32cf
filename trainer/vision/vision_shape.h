// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trainer/network/network.h"

namespace equipatch {

/// Sizes of a Gemma 3 with a vision tower. The comments are the keys in Hugging Face's
/// vision_config.
struct VisionShape {
  std::int64_t imageSize = 96;
  std::int64_t patch = 8;       ///< patch_size
  std::int64_t width = 128;     ///< hidden_size
  std::int64_t mlpWidth = 256;  ///< intermediate_size
  std::int64_t layers = 4;      ///< num_hidden_layers
  std::int64_t heads = 4;       ///< num_attention_heads
  std::int64_t tokens = 36;     ///< mm_tokens_per_image, outside vision_config
  double epsilon = 1e-6;        ///< layer_norm_eps
  NetworkShape text = {.width = 128,
                       .mlpWidth = 256,
                       .layers = 6,
                       .heads = 4,
                       .kvHeads = 2,
                       .window = 128,
                       .maxPositions = 512};

  std::int64_t grid() const { return imageSize / patch; }
  std::int64_t patches() const { return grid() * grid(); }
};

/// A parameter, or adjacent parameters that a pass uses as one.
struct Joined {
  std::int64_t offset = 0;
  std::vector<std::int64_t> shape;
};

struct TowerLayer {
  Joined norm1, norm1Bias, norm2, norm2Bias;
  Joined queryKeyValue, queryKeyValueBias, output, outputBias;
  Joined up, upBias, down, downBias;
};

struct TextLayer {
  Joined inputNorm, queryNorm, keyNorm, postAttentionNorm, preMlpNorm, postMlpNorm;
  Joined queryKeyValue, output, gateUp, down;
};

/// Offsets of all parameters in one vector, with Hugging Face's names.
class VisionLayout {
 public:
  explicit VisionLayout(const VisionShape& shape);

  const std::vector<Parameter>& parameters() const { return m_parameters; }
  std::int64_t size() const { return m_size; }

  Joined patch, patchBias, positions;
  std::vector<TowerLayer> tower;
  Joined towerNorm, towerNormBias, pooledNorm, projector;
  Joined embedding;
  std::vector<TextLayer> text;
  Joined finalNorm;

 private:
  Joined add(const std::vector<std::string>& names, std::vector<std::int64_t> rows,
             std::vector<std::int64_t> rest, ParameterKind kind);
  void addTower(const VisionShape& shape);
  void addText(const NetworkShape& shape);

  std::vector<Parameter> m_parameters;
  std::int64_t m_size = 0;
};

/// The elements of a matrix have a standard deviation of 1 / √(number of inputs), those
/// of the position embedding 0.5. The last matrix of the tower's attentions and MLPs, and
/// the norm after the text model's, are scaled by 1 / √(2 · layers), so that the residual
/// stream does not grow with the number of layers. All other norms have scale 1, and all
/// biases are 0.
std::vector<float> initialParameters(const VisionShape& shape, std::uint64_t seed);

}  // namespace equipatch

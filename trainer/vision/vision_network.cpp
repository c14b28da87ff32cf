// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/vision/vision_network.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/autograd.h>

#include <cmath>
#include <limits>
#include <map>

#include "trainer/vision/row_functions.h"

namespace equipatch {
namespace {

using at::Tensor;

/// The parameters that a pass uses, as leaf tensors that require gradients.
class Leaves {
 public:
  explicit Leaves(const float* parameters) : m_parameters(parameters) {}

  const Tensor& of(const Joined& joined) {
    const auto [found, isNew] = m_leaves.try_emplace(joined.offset);
    if (isNew)
      found->second =
          at::from_blob(const_cast<float*>(m_parameters + joined.offset), joined.shape)
              .set_requires_grad(true);
    return found->second;
  }

  /// Adds ∂loss/∂leaf of each leaf to `gradient`, at the leaf's offset.
  void addGradients(const Tensor& loss, std::span<float> gradient) const {
    std::vector<Tensor> leaves;
    for (const auto& [offset, leaf] : m_leaves) leaves.push_back(leaf);
    const auto gradients = torch::autograd::grad({loss}, leaves);
    std::size_t index = 0;
    for (const auto& [offset, leaf] : m_leaves)
      at::from_blob(gradient.data() + offset, leaf.sizes()).add_(gradients[index++]);
  }

 private:
  const float* m_parameters;
  std::map<std::int64_t, Tensor> m_leaves;  ///< by offset
};

/// Of the rotary embedding's angles.
struct Rotation {
  Tensor cos, sin;  ///< [scenes, length, 1, headDim / 2]
};

Tensor rotated(const Tensor& x, const Rotation& rotation) {
  const std::int64_t half = x.size(-1) / 2;
  const Tensor first = x.narrow(-1, 0, half), second = x.narrow(-1, half, half);
  return at::cat({first * rotation.cos - second * rotation.sin,
                  second * rotation.cos + first * rotation.sin},
                 -1);
}

class NetworkOfTorch final : public VisionNetwork {
 public:
  NetworkOfTorch(const VisionShape& shape, Precision precision)
      : m_shape(shape),
        m_layout(shape),
        m_type(precision == Precision::Float32 ? at::kFloat : at::kBFloat16) {}

  const VisionLayout& layout() const override { return m_layout; }
  void setParameters(std::span<const float> parameters) override {
    m_parameters = parameters.data();
  }

  std::vector<float> losses(const SceneBatch& batch) const override {
    const at::NoGradGuard noGradients;
    Leaves leaves(m_parameters);
    return numbers(crossEntropies(batch, forward(batch, leaves)));
  }

  std::vector<float> backpropagate(const SceneBatch& batch, float scale,
                                   std::span<float> gradient) const override {
    Leaves leaves(m_parameters);
    const Tensor losses = crossEntropies(batch, forward(batch, leaves));
    leaves.addGradients(losses.sum() * scale, gradient);
    return numbers(losses.detach());
  }

  std::vector<float> logits(const SceneBatch& batch) const override {
    const at::NoGradGuard noGradients;
    Leaves leaves(m_parameters);
    return numbers(forward(batch, leaves));
  }

 private:
  static std::vector<float> numbers(const Tensor& tensor) {
    const Tensor values = tensor.to(at::kFloat).contiguous();
    const float* first = values.data_ptr<float>();
    return {first, first + values.numel()};
  }

  static Tensor crossEntropies(const SceneBatch& batch, const Tensor& logits) {
    return at::cross_entropy_loss(logits,
                                  integerTensor(batch.successors, {logits.size(0)}), {},
                                  at::Reduction::None);
  }

  /// Shares the memory of `numbers`, which must outlive the tensor.
  static Tensor integerTensor(const std::vector<std::int64_t>& numbers,
                              at::IntArrayRef shape) {
    return at::from_blob(const_cast<std::int64_t*>(numbers.data()), shape, at::kLong);
  }

  /// x Wᵀ + bias in m_type.
  Tensor product(const Tensor& x, const Tensor& weight, const Tensor& bias = {}) const {
    return at::linear(x.to(m_type), weight.to(m_type),
                      bias.defined() ? bias.to(m_type) : bias);
  }

  Tensor layerNormed(const Tensor& x, const Tensor& scale, const Tensor& bias) const {
    return at::layer_norm(x, {m_shape.width}, scale, bias, m_shape.epsilon);
  }

  /// [scenes, patches, width]
  Tensor patchRows(const SceneBatch& batch, Leaves& leaves) const {
    const std::int64_t grid = m_shape.grid(), patch = m_shape.patch;
    const Tensor pixels = at::from_blob(const_cast<float*>(batch.pixels.data()),
                                        {batch.scenes, 3, grid, patch, grid, patch});
    const Tensor patches = pixels.permute({0, 2, 4, 1, 3, 5})
                               .reshape({batch.scenes, grid * grid, 3 * patch * patch});
    return product(patches, leaves.of(m_layout.patch).flatten(1),
                   leaves.of(m_layout.patchBias))
               .to(at::kFloat) +
           leaves.of(m_layout.positions);
  }

  Tensor towerAttention(const TowerLayer& layer, const Tensor& x, Leaves& leaves) const {
    const std::int64_t scenes = x.size(0), heads = m_shape.heads;
    const Tensor normed =
        layerNormed(x, leaves.of(layer.norm1), leaves.of(layer.norm1Bias));
    const Tensor all = product(normed, leaves.of(layer.queryKeyValue),
                               leaves.of(layer.queryKeyValueBias))
                           .view({scenes, -1, 3, heads, m_shape.width / heads})
                           .permute({2, 0, 3, 1, 4});
    const double scale =
        1 / std::sqrt(static_cast<double>(m_shape.width) / static_cast<double>(heads));
    const Tensor scores = at::matmul(all[0] * scale, all[1].transpose(-1, -2));
    const Tensor attended = at::matmul(at::softmax(scores, -1), all[2])
                                .transpose(1, 2)
                                .reshape({scenes, -1, m_shape.width});
    return product(attended, leaves.of(layer.output), leaves.of(layer.outputBias));
  }

  Tensor towerMlp(const TowerLayer& layer, const Tensor& x, Leaves& leaves) const {
    const Tensor normed =
        layerNormed(x, leaves.of(layer.norm2), leaves.of(layer.norm2Bias));
    const Tensor inner =
        geluOf(product(normed, leaves.of(layer.up), leaves.of(layer.upBias)));
    return product(inner, leaves.of(layer.down), leaves.of(layer.downBias));
  }

  /// [scenes, tokens, width of the text model]
  Tensor imageRows(const SceneBatch& batch, Leaves& leaves) const {
    Tensor x = patchRows(batch, leaves);
    for (const TowerLayer& layer : m_layout.tower) {
      x = x + towerAttention(layer, x, leaves);
      x = x + towerMlp(layer, x, leaves);
    }
    x = layerNormed(x, leaves.of(m_layout.towerNorm), leaves.of(m_layout.towerNormBias));
    const auto pooled = std::llround(std::sqrt(static_cast<double>(m_shape.tokens)));
    const std::int64_t k = m_shape.grid() / pooled;
    x = x.view({batch.scenes, pooled, k, pooled, k, m_shape.width})
            .mean(at::IntArrayRef{2, 4})
            .reshape({batch.scenes, m_shape.tokens, m_shape.width});
    x = rmsNormed(x, leaves.of(m_layout.pooledNorm), m_shape.epsilon);
    return product(x, leaves.of(m_layout.projector).t()).to(at::kFloat);
  }

  Tensor embedded(const SceneBatch& batch, Leaves& leaves) const {
    const Tensor ids = integerTensor(batch.ids, {batch.scenes, batch.length});
    const Tensor words = at::embedding(leaves.of(m_layout.embedding), ids) *
                         std::sqrt(static_cast<double>(m_shape.text.width));
    const std::int64_t imageEnd = batch.imageBegin + m_shape.tokens;
    return at::cat({words.narrow(1, 0, batch.imageBegin), imageRows(batch, leaves),
                    words.narrow(1, imageEnd, batch.length - imageEnd)},
                   1);
  }

  Rotation rotation(const SceneBatch& batch, double period) const {
    const Tensor positions =
        integerTensor(batch.positions, {batch.scenes, batch.length, 1, 1})
            .to(at::kDouble);
    const Tensor exponents = at::arange(0, kHeadDim, 2, at::kDouble) / double{kHeadDim};
    const Tensor angles = positions * at::pow(period, -exponents);
    return {at::cos(angles).to(at::kFloat), at::sin(angles).to(at::kFloat)};
  }

  /// [scenes, 1, i, j]: 0 where token i sees token j, −∞ elsewhere. Local layers need no
  /// mask of their own: SceneBatchMaker refuses texts longer than their window.
  Tensor mask(const SceneBatch& batch) const {
    const std::int64_t length = batch.length;
    Tensor mask = at::full({batch.scenes, 1, length, length},
                           -std::numeric_limits<float>::infinity(), at::kFloat);
    float* seen = mask.data_ptr<float>();
    const auto isImage = [&](std::int64_t i) {
      return i >= batch.imageBegin && i < batch.imageBegin + m_shape.tokens;
    };
    for (std::int64_t scene = 0; scene < batch.scenes; ++scene) {
      const std::int32_t* texts = batch.texts.data() + scene * length;
      for (std::int64_t i = 0; i < length; ++i, seen += length)
        for (std::int64_t j = 0; j < length; ++j) {
          const bool sameText = texts[j] == 0 || texts[j] == texts[i];
          if ((j <= i && sameText) || (isImage(i) && isImage(j))) seen[j] = 0;
        }
    }
    return mask.to(m_type);
  }

  Tensor textAttention(const TextLayer& layer, const Tensor& x, const Rotation& rotation,
                       const Tensor& mask, Leaves& leaves) const {
    const NetworkShape& text = m_shape.text;
    const std::int64_t scenes = x.size(0), length = x.size(1);
    const std::int64_t group = text.headsPerKey();
    const Tensor normed = rmsNormed(x, leaves.of(layer.inputNorm), text.epsilon);
    const Tensor all = product(normed, leaves.of(layer.queryKeyValue))
                           .view({scenes, length, -1, kHeadDim});
    const auto positioned = [&](std::int64_t first, std::int64_t count,
                                const Joined& scale) {
      const Tensor rows = all.narrow(2, first, count).to(at::kFloat);
      return rotated(rmsNormed(rows, leaves.of(scale), text.epsilon), rotation);
    };
    const double scale = 1 / std::sqrt(static_cast<double>(kHeadDim));
    // Query heads that share a key head are adjacent: [scenes, kvHeads, group · length,
    // headDim]
    const Tensor queries = (positioned(0, text.heads, layer.queryNorm) * scale)
                               .to(m_type)
                               .transpose(1, 2)
                               .reshape({scenes, text.kvHeads, group * length, kHeadDim});
    const Tensor keys =
        positioned(text.heads, text.kvHeads, layer.keyNorm).to(m_type).transpose(1, 2);
    const Tensor values =
        all.narrow(2, text.heads + text.kvHeads, text.kvHeads).transpose(1, 2);
    const Tensor scores = at::matmul(queries, keys.transpose(-1, -2))
                              .view({scenes, text.heads, length, length}) +
                          mask;
    const Tensor weights =
        at::softmax(scores, -1).view({scenes, text.kvHeads, group * length, length});
    const Tensor attended = at::matmul(weights, values)
                                .view({scenes, text.heads, length, kHeadDim})
                                .transpose(1, 2)
                                .reshape({scenes, length, text.queryWidth()});
    return rmsNormed(product(attended, leaves.of(layer.output)).to(at::kFloat),
                     leaves.of(layer.postAttentionNorm), text.epsilon);
  }

  Tensor textMlp(const TextLayer& layer, const Tensor& x, Leaves& leaves) const {
    const double epsilon = m_shape.text.epsilon;
    const Tensor normed = rmsNormed(x, leaves.of(layer.preMlpNorm), epsilon);
    const Tensor gated = gatedOf(product(normed, leaves.of(layer.gateUp)));
    return rmsNormed(product(gated, leaves.of(layer.down)).to(at::kFloat),
                     leaves.of(layer.postMlpNorm), epsilon);
  }

  /// The logits at `batch.rows`, [rows, vocabulary], float32.
  Tensor forward(const SceneBatch& batch, Leaves& leaves) const {
    const NetworkShape& text = m_shape.text;
    const Rotation local = rotation(batch, text.localPeriod);
    const Rotation global = rotation(batch, text.globalPeriod);
    const Tensor visible = mask(batch);
    Tensor x = embedded(batch, leaves);
    for (std::int64_t i = 0; i < text.layers; ++i) {
      const TextLayer& layer = m_layout.text[static_cast<std::size_t>(i)];
      x = x + textAttention(layer, x, text.isLocal(i) ? local : global, visible, leaves);
      x = x + textMlp(layer, x, leaves);
    }
    const Tensor lossRows =
        x.view({-1, text.width})
            .index_select(0, integerTensor(batch.rows, {std::ssize(batch.rows)}));
    const Tensor normed =
        rmsNormed(lossRows, leaves.of(m_layout.finalNorm), text.epsilon);
    return product(normed, leaves.of(m_layout.embedding)).to(at::kFloat);
  }

  VisionShape m_shape;
  VisionLayout m_layout;
  at::ScalarType m_type;  ///< of the products' operands
  const float* m_parameters = nullptr;
};

}  // namespace

std::unique_ptr<VisionNetwork> VisionNetwork::create(const VisionShape& shape,
                                                     Precision precision) {
  return std::make_unique<NetworkOfTorch>(shape, precision);
}

}  // namespace equipatch

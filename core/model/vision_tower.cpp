// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/vision_tower.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/model/feed_forward.h"

namespace equipatch {
namespace {

/// Queries whose scores are computed together: with 4096 patches, 8 MiB in float32.
constexpr std::int64_t kQueryRows = 512;

/// The arithmetic for products of two activations. Such a product takes one of them as a
/// weight, and its weight type must hold that activation exactly.
Arithmetic ofActivations(const Arithmetic& arithmetic) {
  if (arithmetic.rounds()) return arithmetic;
  return {arithmetic.wide() == at::kDouble ? DType::F64 : DType::F32,
          arithmetic.device()};
}

/// softmax(scale · Q Kᵀ) V of one head, without holding the whole score matrix. Q, K, V
/// [patches, headDim].
/// @throws Error{Cancelled} if `progress` is stopped
Tensor attendHead(const Tensor& Q, const Tensor& K, const Tensor& V, double scale,
                  const Arithmetic& arithmetic, const Progress& progress) {
  const Linear keys{.weight = K.contiguous().to(arithmetic.weightType()), .bias = {}};
  const Linear values{.weight = V.t().contiguous().to(arithmetic.weightType()),
                      .bias = {}};
  std::vector<Tensor> parts;
  for (std::int64_t first = 0; first < Q.size(0); first += kQueryRows) {
    progress.throwIfStopped();
    const std::int64_t count = std::min(kQueryRows, Q.size(0) - first);
    const Tensor queries = Q.narrow(0, first, count).contiguous();
    const Tensor scores = arithmetic.product(queries, keys).mul_(scale);
    const Tensor weights = at::softmax(infinityAsNaN(scores), -1);
    arithmetic.roundInPlace(weights);
    parts.push_back(arithmetic.product(weights, values));
  }
  return at::cat(parts, 0);
}

/// Reads the tower's weights by name and keeps a list of them.
class TowerLoader {
 public:
  TowerLoader(const Checkpoint& checkpoint, const Arithmetic& arithmetic,
              Progress& progress)
      : m_checkpoint(checkpoint), m_arithmetic(arithmetic), m_progress(progress) {}

  Tensor tensor(const std::string& name) {
    return tensor(name, m_arithmetic.weightType());
  }
  Tensor wide(const std::string& name) { return tensor(name, m_arithmetic.wide()); }
  Linear linear(const std::string& name) {
    return {.weight = tensor(name), .bias = wide(name + ".bias")};
  }
  NormWeights norm(const std::string& name) {
    return {.m = wide(name), .bias = wide(name + ".bias")};
  }

  Parameters parameters() const { return m_parameters; }
  WeightFiles files() const { return m_files; }

 private:
  Tensor tensor(const std::string& name, at::ScalarType type) {
    m_progress.throwIfStopped();
    const std::string whole = "vision." + name;
    const StoredWeight& stored = m_checkpoint.visionWeight(whole);
    m_files.add(stored);
    const Tensor weight = loadTensor(stored, m_arithmetic).to(type);
    return m_parameters.emplace_back(whole, weight).second;
  }

  const Checkpoint& m_checkpoint;
  const Arithmetic& m_arithmetic;
  Progress& m_progress;
  Parameters m_parameters;
  WeightFiles m_files;
};

}  // namespace

VisionTower::VisionTower(const Checkpoint& checkpoint, const Arithmetic& arithmetic,
                         Progress& progress)
    : m_spec(checkpoint.spec().vision.value()), m_arithmetic(arithmetic) {
  TowerLoader loader(checkpoint, arithmetic, progress);
  m_patch = loader.linear("patch");
  m_patch.weight = m_patch.weight.flatten(1);
  m_positions = loader.wide("positions");
  for (std::int64_t index = 0; index < m_spec.layers; ++index) {
    progress.report(static_cast<double>(index) / static_cast<double>(m_spec.layers),
                    "Reading the vision tower");
    const std::string layer = "layers." + std::to_string(index) + ".";
    m_layers.push_back({.attn_norm = loader.norm(layer + "attn_norm"),
                        .mlp_norm = loader.norm(layer + "mlp_norm"),
                        .W_q = loader.linear(layer + "W_q"),
                        .W_k = loader.linear(layer + "W_k"),
                        .W_v = loader.linear(layer + "W_v"),
                        .W_o = loader.linear(layer + "W_o"),
                        .W_in = loader.linear(layer + "W_in"),
                        .W_down = loader.linear(layer + "W_down")});
  }
  m_norm = loader.norm("norm");
  m_pooledNorm = {.m = loader.wide("pooled_norm") + 1.0, .bias = {}};
  m_projector = {.weight = loader.tensor("projector"), .bias = {}};
  m_parameters = loader.parameters();
  m_files = loader.files();
  m_files.throwIfLost();
}

Tensor VisionTower::rows(const Tensor& pixels, TowerHooks& hooks,
                         Progress& progress) const {
  Tensor x = embedded(pixels);
  for (std::size_t index = 0; index < m_layers.size(); ++index) {
    progress.throwIfStopped();
    progress.report(static_cast<double>(index) / static_cast<double>(m_layers.size()),
                    "Looking at the image");
    const std::string number = "." + std::to_string(index);
    hooks.hookSite("vision_hidden_states" + number, x);
    const Tensor attn_out = attention(m_layers[index], x, progress);
    hooks.hookSite("vis_attn_out" + number, attn_out);
    x = m_arithmetic.round(x + attn_out);
    const Tensor mlp_out = feedForward(m_layers[index], x);
    hooks.hookSite("vis_mlp_out" + number, mlp_out);
    x = m_arithmetic.round(x + mlp_out);
  }
  hooks.hookSite("vision_hidden_states." + std::to_string(m_layers.size()), x);
  x = normed(x, m_norm);
  hooks.hookSite("vision_last_hidden_state", x);
  const Tensor rows = linear(pooled(x), m_projector);
  hooks.hookSite("image_features", rows);
  m_files.throwIfLost();
  if (!allFinite(rows))
    throw notFinite({"the vision tower's output (image_features)", m_parameters},
                    m_arithmetic);
  return rows;
}

/// Patch embeddings plus position embeddings [patches, width]. A patch's pixel values are
/// in the order of the convolution's weights: channel, row, column.
Tensor VisionTower::embedded(const Tensor& pixels) const {
  const std::int64_t grid = m_spec.grid(), patch = m_spec.patch;
  const Tensor patches = pixels.to(m_arithmetic.device(), m_arithmetic.wide())
                             .view({3, grid, patch, grid, patch})
                             .permute({1, 3, 0, 2, 4})
                             .reshape({grid * grid, 3 * patch * patch});
  return m_arithmetic.round(linear(m_arithmetic.round(patches), m_patch) + m_positions);
}

/// Every patch attends to all patches.
Tensor VisionTower::attention(const Layer& layer, const Tensor& x,
                              const Progress& progress) const {
  const Tensor attn_in = normed(x, layer.attn_norm);
  const Tensor q = linear(attn_in, layer.W_q), k = linear(attn_in, layer.W_k),
               v = linear(attn_in, layer.W_v);
  const Arithmetic arithmetic = ofActivations(m_arithmetic);
  const double scale = 1.0 / std::sqrt(static_cast<double>(m_spec.headDim()));
  std::vector<Tensor> heads;
  for (std::int64_t head = 0; head < m_spec.heads; ++head) {
    const auto of = [&](const Tensor& all) {
      return all.narrow(1, head * m_spec.headDim(), m_spec.headDim());
    };
    heads.push_back(attendHead(of(q), of(k), of(v), scale, arithmetic, progress));
  }
  return linear(m_arithmetic.round(at::cat(heads, 1)), layer.W_o);
}

Tensor VisionTower::feedForward(const Layer& layer, const Tensor& x) const {
  const Tensor pre = linear(normed(x, layer.mlp_norm), layer.W_in);
  return linear(m_arithmetic.round(activated(pre, m_spec.activation)), layer.W_down);
}

/// The RMSNorm of the mean of each square of k × k patches, squares in row-major order.
Tensor VisionTower::pooled(const Tensor& x) const {
  const std::int64_t pooledGrid = m_spec.pooledGrid(), k = m_spec.grid() / pooledGrid;
  const Tensor means = x.view({pooledGrid, k, pooledGrid, k, m_spec.width})
                           .mean(at::IntArrayRef{1, 3})
                           .reshape({m_spec.tokens, m_spec.width});
  const NormSpec rms{
      .kind = NormKind::Rms, .eps = m_spec.normEps, .scaleBeforeRounding = true};
  return norm(m_arithmetic.round(means), m_pooledNorm, rms, m_arithmetic);
}

Tensor VisionTower::linear(const Tensor& x, const Linear& weights) const {
  return m_arithmetic.round(m_arithmetic.product(x, weights));
}

Tensor VisionTower::normed(const Tensor& x, const NormWeights& weights) const {
  const NormSpec layerNorm{.kind = NormKind::Layer,
                           .eps = m_spec.normEps,
                           .bias = true,
                           .scaleBeforeRounding = true};
  return norm(x, weights, layerNorm, m_arithmetic);
}

}  // namespace equipatch

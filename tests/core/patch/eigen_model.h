// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/transformer.h"
#include "core/patch/host_vector.h"
#include "core/patch/patch.h"
#include "tests/core/model/block_oracle.h"

namespace equipatch::test {

inline Matrix formed(const RankOne& change) {
  return change.u * change.w.transpose();
}
inline Matrix formed(const LowRank& change) {
  return change.U * change.V.transpose();
}

template <typename Change>
void addTo(Linear& linear, const Change* change) {
  if (!change) return;
  const Matrix whole = toMatrix(linear.weight) + formed(*change);
  linear.weight = toTensor(whole, at::kDouble);
}

template <typename Layer>
void addTo(FeedForwardWeights& weights, const Layer& patch, std::int64_t expert) {
  addTo(weights.W_gate, patch.find({MatrixRole::Gate, expert}));
  addTo(weights.W_up, patch.find({MatrixRole::Up, expert}));
  addTo(weights.W_in, patch.find({MatrixRole::In, expert}));
  addTo(weights.W_down, patch.find({MatrixRole::Down, expert}));
}

/// A layer's weights with `patch` (LayerPatch or SharedLayerPatch) applied. Each patched
/// matrix is formed as W + u wᵀ or W + U Vᵀ in double precision.
template <typename Layer>
LayerWeights patched(LayerWeights weights, const Layer& patch,
                     const OuterFunction& outer) {
  const auto vector = [](const Vector& of) {
    return equipatch::toTensor(of, at::TensorOptions(at::kDouble));
  };
  addTo(weights.mlp, patch, MatrixId::kDense);
  addTo(weights.mlp, patch, MatrixId::kBeside);
  addTo(weights.shared, patch, MatrixId::kShared);
  for (std::size_t expert = 0; expert < weights.experts.size(); ++expert)
    addTo(weights.experts[expert], patch, static_cast<std::int64_t>(expert));
  addTo(weights.W_router, patch.find({MatrixRole::Router}));
  addTo(weights.W_shared_router, patch.find({MatrixRole::SharedRouter}));
  if (patch.denseScale) weights.dense_post_norm.m = vector(*patch.denseScale);
  if (patch.scale) weights.mlp_post_norm.m = vector(*patch.scale);
  Tensor& bias =
      outer.closesWithNormBias() ? weights.mlp_post_norm.bias : weights.mlp.W_down.bias;
  if (patch.bias) bias = vector(*patch.bias);
  return weights;
}

/// An independent oracle: computes a model with patched weights in double precision, with
/// Eigen instead of libtorch, without rounding activations to the run's dtype.
class EigenModel {
 public:
  explicit EigenModel(const Transformer& transformer) : m_model(transformer) {}

  /// resid_post of every layer for one token alone, at `position`. `patch` has one entry
  /// per layer. Not for models with per-layer embeddings.
  std::vector<Vector> run(TokenId id, const Patch& patch,
                          std::int64_t position = 0) const {
    Matrix x = toMatrix(m_model.weights().embed).row(id.value);
    x *= m_model.spec().embeddingScale;
    if (m_model.weights().positions.defined())
      x += toMatrix(m_model.weights().positions).row(position);
    std::vector<Vector> outputs;
    for (std::size_t layer = 0; layer < m_model.weights().layers.size(); ++layer) {
      ModelSpec spec = m_model.spec();
      spec.layers = {spec.layers[layer]};
      const BlockOracle block(spec, layerWith(patch[layer], layer));
      const OracleSites sites = block.forwardAlone(x);
      outputs.push_back(sites.resid_post.row(0));
      x = sites.output;
    }
    return outputs;
  }

  /// resid_post [tokens, width] of every layer for a text at positions from 0 on. Not for
  /// models with learned positions, per-layer embeddings or layer scalars.
  std::vector<Matrix> runText(const std::vector<TokenId>& ids,
                              const SharedPatch& patch) const {
    const Matrix embed = toMatrix(m_model.weights().embed);
    Matrix x(static_cast<Eigen::Index>(ids.size()), embed.cols());
    for (std::size_t at = 0; at < ids.size(); ++at)
      x.row(static_cast<Eigen::Index>(at)) =
          m_model.spec().embeddingScale * embed.row(ids[at].value);
    std::vector<Matrix> outputs;
    for (std::size_t layer = 0; layer < m_model.weights().layers.size(); ++layer) {
      ModelSpec spec = m_model.spec();
      spec.layers = {spec.layers[layer]};
      const BlockOracle block(spec, layerWith(patch[layer], layer));
      x = block.forward(x).resid_post;
      outputs.push_back(x);
    }
    return outputs;
  }

  /// The logits for `x`, an output of the last block.
  Vector logits(const Vector& x) const {
    const ModelSpec& spec = m_model.spec();
    const BlockOracle norms(spec, {});
    const Matrix last = norms.norm(x.transpose(), m_model.weights().final_norm);
    Matrix y = spec.logitScale * BlockOracle::product(last, m_model.weights().head);
    if (const auto cap = spec.logitSoftcap) y = *cap * (y.array() / *cap).tanh();
    return y.row(0);
  }

 private:
  template <typename Layer>
  LayerWeights layerWith(const Layer& patch, std::size_t layer) const {
    return patched(m_model.weights().layers[layer], patch,
                   m_model.block(LayerIndex(static_cast<std::int64_t>(layer))).outer());
  }

  const Transformer& m_model;
};

}  // namespace equipatch::test

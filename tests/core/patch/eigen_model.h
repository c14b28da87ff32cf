#pragma once

#include <cmath>

#include "core/model/transformer.h"
#include "core/patch/host_vector.h"
#include "core/patch/patch.h"

namespace equipatch::test {

inline Eigen::MatrixXd toMatrix(const Tensor& weight) {
  const Tensor host = weight.to(at::kDouble).contiguous();
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<const RowMajor>(host.data_ptr<double>(), host.size(0), host.size(1));
}

/// An independent oracle: one token without context through a model whose patched
/// matrices are really formed, W + u wᵀ, in double precision. No rounding, no libtorch
/// arithmetic.
class EigenModel {
 public:
  explicit EigenModel(const Transformer& transformer) : m_model(transformer) {}

  /// resid_post of every layer for the token alone, with `patch` (one entry a layer).
  std::vector<Vector> run(TokenId id, const Patch& patch) const {
    const std::vector<TokenId> ids{id};
    Vector x = hostRow(
        m_model.weights().embed.index_select(0, at::tensor({id.value}, at::kLong)), 0);
    x *= m_model.arithmetic().round(m_model.spec().embeddingScale);
    std::vector<Vector> outputs;
    for (std::size_t layer = 0; layer < m_model.weights().layers.size(); ++layer) {
      x = block(x, m_model.weights().layers[layer], patch[layer]);
      outputs.push_back(x);
    }
    return outputs;
  }

  /// Logits of a last block's output.
  Vector logits(const Vector& x) const {
    return toMatrix(m_model.weights().head.weight) *
           norm(x, m_model.weights().final_norm);
  }

 private:
  Vector norm(const Vector& x, const Tensor& m) const {
    return normalised(x).cwiseProduct(toHost(m));
  }

  Vector normalised(const Vector& x) const {
    const double meanSquare = x.squaredNorm() / static_cast<double>(x.size());
    return x / std::sqrt(meanSquare + m_model.spec().norm.eps);
  }

  static Vector product(const Linear& W, const std::optional<RankOne>& change,
                        const Vector& x) {
    Eigen::MatrixXd matrix = toMatrix(W.weight);
    if (change) matrix += change->u * change->w.transpose();
    Vector y = matrix * x;
    if (W.bias.defined()) y += toHost(W.bias);
    return y;
  }

  double activation(double x) const {
    if (m_model.spec().activation == Activation::Silu) return x / (1.0 + std::exp(-x));
    return 0.5 * x * (1.0 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
  }

  /// Attention of a token that sees itself alone gives its own value, a copy a query
  /// head.
  Vector attention(const Vector& x, const LayerWeights& weights) const {
    const ModelSpec& spec = m_model.spec();
    const Vector v = product(weights.W_v, std::nullopt, norm(x, weights.attn_norm));
    Vector mixed(spec.heads * spec.headDim);
    for (Eigen::Index head = 0; head < spec.heads; ++head)
      mixed.segment(head * spec.headDim, spec.headDim) =
          v.segment(head / (spec.heads / spec.kvHeads) * spec.headDim, spec.headDim);
    const Vector out = product(weights.W_o, std::nullopt, mixed);
    return spec.attentionPostNorm ? norm(out, weights.attn_post_norm) : out;
  }

  Vector block(const Vector& x, const LayerWeights& weights,
               const LayerPatch& patch) const {
    const Vector v = x + attention(x, weights);
    const Vector z = norm(v, weights.mlp_norm);
    const Vector gate = product(weights.W_gate, patch.gate, z);
    const Vector up = product(weights.W_up, patch.up, z);
    const Vector h =
        gate.unaryExpr([this](double a) { return activation(a); }).cwiseProduct(up);
    const Vector y = product(weights.W_down, patch.down, h);
    if (!m_model.spec().mlpPostNorm) return v + y;
    const Vector m = patch.scale ? *patch.scale : toHost(weights.mlp_post_norm);
    return v + normalised(y).cwiseProduct(m);
  }

  const Transformer& m_model;
};

}  // namespace equipatch::test

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/checkpoint/spec.h"
#include "core/model/weights.h"
#include "tests/core/model/eigen_tensor.h"
#include "tests/core/model/random_block.h"

namespace equipatch::test {

struct OracleSites {
  Matrix attn_in, attn_out, resid_mid, mlp_in, gate, up, h, mlp_out, resid_post, output;
};

/// Computes a layer's norms and MLP, dense or MoE, by their formulas.
class MlpOracle {
 public:
  MlpOracle(const ModelSpec& spec, LayerWeights weights)
      : m_spec(spec), m_weights(std::move(weights)) {}

  static Matrix product(const Matrix& x, const Linear& linear) {
    Matrix y = x * toMatrix(linear.weight).transpose();
    if (linear.bias.defined()) y.rowwise() += toMatrix(linear.bias).row(0);
    return y;
  }

  Matrix norm(Matrix x, const NormWeights& weights) const {
    for (Eigen::Index row = 0; row < x.rows(); ++row) {
      if (m_spec.norm.kind == NormKind::Layer) x.row(row).array() -= x.row(row).mean();
      x.row(row) /= std::sqrt(x.row(row).squaredNorm() / static_cast<double>(x.cols()) +
                              m_spec.norm.eps);
    }
    x = x.array().rowwise() * toMatrix(weights.m).row(0).array();
    if (weights.bias.defined()) x.rowwise() += toMatrix(weights.bias).row(0);
    return x;
  }

  double activation(double x) const {
    if (m_spec.activation == Activation::Silu) return x / (1.0 + std::exp(-x));
    if (m_spec.activation == Activation::GeluExact)
      return 0.5 * x * std::erfc(-x / std::sqrt(2.0));
    if (m_spec.activation == Activation::Relu) return std::max(x, 0.0);
    if (m_spec.activation == Activation::QuickGelu)
      return x / (1.0 + std::exp(-1.702 * x));
    return 0.5 * x *
           (1.0 + std::tanh(std::sqrt(2.0 / M_PI) * (x + 0.044715 * x * x * x)));
  }

 protected:
  Matrix optional(const Matrix& x, const NormWeights& weights) const {
    return weights.exists() ? norm(x, weights) : x;
  }

  Matrix dense(const Matrix& mlp_in, const FeedForwardWeights& weights,
               OracleSites* sites) const {
    const auto f = [this](double x) { return activation(x); };
    Matrix h, gate, up;
    if (m_spec.mlpForm == MlpForm::Gated) {
      gate = product(mlp_in, weights.W_gate);
      up = product(mlp_in, weights.W_up);
      h = gate.unaryExpr(f).array() * up.array();
      if (const auto c = m_spec.gateLimit)
        h = gate.cwiseMin(*c).unaryExpr(f).array() *
            (up.cwiseMin(*c).cwiseMax(-*c).array() + 1.0);
    } else {
      gate = product(mlp_in, weights.W_in);
      h = gate.unaryExpr(f);
    }
    if (sites) sites->gate = gate, sites->up = up, sites->h = h;
    return product(h, weights.W_down);
  }

  /// The layer's output. Adds the branch of the per-layer embeddings (`perLayerRows`) to
  /// resid_post and multiplies the sum by the layer's scalar.
  /// @param out resid_post
  Matrix output(Matrix out) const {
    if (m_weights.W_per_layer_gate.exists()) {
      const Matrix p = toMatrix(perLayerRows(m_spec, out.rows()).select(1, 0));
      const auto f = [this](double x) { return activation(x); };
      const Matrix h =
          product(out, m_weights.W_per_layer_gate).unaryExpr(f).array() * p.array();
      out += norm(product(h, m_weights.W_per_layer_out), m_weights.per_layer_post_norm);
    }
    if (m_weights.layer_scalar.defined()) out *= m_weights.layer_scalar[0].item<double>();
    return out;
  }

  /// A dense MLP parallel to experts, each with its own norms. The router's input is
  /// router_scale ⊙ normalised(resid_mid) / sqrt(width).
  Matrix beside(const Matrix& resid_mid) const {
    Matrix router = resid_mid;
    for (Eigen::Index row = 0; row < router.rows(); ++row)
      router.row(row) /= std::sqrt(router.row(row).squaredNorm() +
                                   static_cast<double>(router.cols()) * m_spec.norm.eps);
    router = router.array().rowwise() * toMatrix(m_weights.router_scale).row(0).array();
    const Matrix experts = moe(norm(resid_mid, m_weights.experts_norm), router);
    const Matrix mlp = dense(norm(resid_mid, m_weights.mlp_norm), m_weights.mlp, nullptr);
    return norm(mlp, m_weights.dense_post_norm) +
           norm(experts, m_weights.experts_post_norm);
  }

  Matrix moe(const Matrix& mlp_in) const { return moe(mlp_in, mlp_in); }

  Matrix moe(const Matrix& mlp_in, const Matrix& routerInput) const {
    const MoeSpec& spec = *m_spec.moe;
    const Matrix scores = product(routerInput, m_weights.W_router);
    Matrix sum = Matrix::Zero(mlp_in.rows(), mlp_in.cols());
    for (Eigen::Index row = 0; row < mlp_in.rows(); ++row) {
      const Matrix softmax =
          scores.row(row).array().exp() / scores.row(row).array().exp().sum();
      std::vector<std::pair<double, std::size_t>> order;  // (−probability, expert)
      for (Eigen::Index e = 0; e < spec.experts; ++e)
        order.emplace_back(-softmax(0, e), static_cast<std::size_t>(e));
      std::sort(order.begin(), order.end());
      order.resize(static_cast<std::size_t>(spec.active));
      double total = 0.0;
      for (const auto& [negated, expert] : order) total -= negated;
      for (const auto& [negated, expert] : order) {
        double gate = -negated / (spec.normaliseGates ? total : 1.0);
        if (m_weights.expert_scale.defined())
          gate *=
              m_weights.expert_scale[static_cast<std::int64_t>(expert)].item<double>();
        sum.row(row) += gate * dense(mlp_in.row(row), m_weights.experts[expert], nullptr);
      }
    }
    if (spec.sharedWidth == 0) return sum;
    const Matrix gates =
        product(mlp_in, m_weights.W_shared_router).unaryExpr([](double x) {
          return 1.0 / (1.0 + std::exp(-x));
        });
    const Matrix shared = dense(mlp_in, m_weights.shared, nullptr);
    return sum + Matrix(shared.array().colwise() * gates.col(0).array());
  }

  ModelSpec m_spec;
  LayerWeights m_weights;
};

}  // namespace equipatch::test

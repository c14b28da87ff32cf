#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <complex>
#include <utility>
#include <vector>

#include "core/checkpoint/spec.h"
#include "core/model/weights.h"
#include "tests/core/model/eigen_tensor.h"

namespace equipatch::test {

struct OracleSites {
  Matrix attn_in, attn_out, resid_mid, z, gate, up, h, mlp_out, resid_post;
};

/// One block of a sequence that starts at position 0, by the formulas and plain loops.
/// Rotations are unscaled and turn halves.
class BlockOracle {
 public:
  BlockOracle(const ModelSpec& spec, LayerWeights weights)
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

  /// A head's norm, with the scale that is its own where heads have one each.
  Matrix headNorm(const Matrix& one, const NormWeights& weights,
                  Eigen::Index head) const {
    const auto own = [&](const Tensor& all) {
      return all.defined() && all.dim() == 2 ? all[head] : all;
    };
    return norm(one, {.m = own(weights.m), .bias = own(weights.bias)});
  }

  /// Rotated queries or keys [rows, heads·headDim].
  Matrix heads(const Matrix& attn_in, const Linear& linear,
               const NormWeights& weights) const {
    Matrix all = product(attn_in, linear);
    if (m_spec.queryKeyNorm == QueryKeyNorm::WholeWidth) all = norm(all, weights);
    const bool eachHead = m_spec.queryKeyNorm == QueryKeyNorm::PerHead ||
                          m_spec.queryKeyNorm == QueryKeyNorm::OwnPerHead;
    const Eigen::Index size = m_spec.headDim;
    for (Eigen::Index row = 0; row < all.rows(); ++row)
      for (Eigen::Index at = 0; at < all.cols(); at += size) {
        Matrix head = all.block(row, at, 1, size);
        if (eachHead) head = headNorm(head, weights, at / size);
        if (m_spec.layers[0].rope) turn(head, static_cast<double>(row));
        all.block(row, at, 1, size) = head;
      }
    return all;
  }

  void turn(Matrix& head, double position) const {
    const RopeSpec& rope = *m_spec.layers[0].rope;
    const Eigen::Index half = rope.dims / 2;
    for (Eigen::Index pair = 0; pair < half; ++pair) {
      const double frequency =
          std::exp(-2.0 * static_cast<double>(pair) / static_cast<double>(rope.dims) *
                   std::log(rope.theta));
      const auto turned = std::complex<double>(head(0, pair), head(0, pair + half)) *
                          std::polar(1.0, position * frequency);
      head(0, pair) = turned.real();
      head(0, pair + half) = turned.imag();
    }
  }

  Matrix attention(const Matrix& attn_in) const {
    const Matrix q = heads(attn_in, m_weights.W_q, m_weights.q_norm);
    const Matrix k = heads(attn_in, m_weights.W_k, m_weights.k_norm);
    const Matrix v = product(attn_in, m_weights.W_v);
    Matrix mixed = Matrix::Zero(q.rows(), q.cols());
    const Eigen::Index size = m_spec.headDim, group = m_spec.heads / m_spec.kvHeads;
    const Eigen::Index window = m_spec.layers[0].window.value_or(q.rows());
    for (Eigen::Index i = 0; i < q.rows(); ++i)
      for (Eigen::Index head = 0; head < m_spec.heads; ++head) {
        const Eigen::Index keyAt = head / group * size;
        double total = 0.0;
        for (Eigen::Index j = std::max<Eigen::Index>(0, i - window + 1); j <= i; ++j) {
          double score =
              m_spec.layers[0].attentionScale *
              q.row(i).segment(head * size, size).dot(k.row(j).segment(keyAt, size));
          if (const auto cap = m_spec.attentionSoftcap)
            score = *cap * std::tanh(score / *cap);
          total += std::exp(score);
          mixed.row(i).segment(head * size, size) +=
              std::exp(score) * v.row(j).segment(keyAt, size);
        }
        mixed.row(i).segment(head * size, size) /= total;
      }
    return product(mixed, m_weights.W_o);
  }

  OracleSites forward(const Matrix& x) const {
    OracleSites sites;
    sites.attn_in = optional(x, m_weights.attn_norm);
    sites.attn_out = attention(sites.attn_in);
    finish(x, sites);
    return sites;
  }

  /// Every row a sequence of its own.
  OracleSites forwardAlone(const Matrix& x) const {
    OracleSites sites;
    sites.attn_in = optional(x, m_weights.attn_norm);
    sites.attn_out.resize(x.rows(), x.cols());
    for (Eigen::Index row = 0; row < x.rows(); ++row)
      sites.attn_out.row(row) = attention(sites.attn_in.row(row));
    finish(x, sites);
    return sites;
  }

 private:
  Matrix optional(const Matrix& x, const NormWeights& weights) const {
    return weights.exists() ? norm(x, weights) : x;
  }

  void finish(const Matrix& x, OracleSites& sites) const {
    const double r = m_spec.residualScale;
    sites.resid_mid = x + r * optional(sites.attn_out, m_weights.attn_post_norm);
    sites.z = m_spec.mlpInput == MlpInput::AttentionInput ? sites.attn_in
              : m_spec.mlpInput == MlpInput::ResidPre
                  ? optional(x, m_weights.mlp_norm)
                  : optional(sites.resid_mid, m_weights.mlp_norm);
    sites.mlp_out = m_spec.layers[0].mixture ? mixture(sites.z)
                                             : dense(sites.z, m_weights.mlp, &sites);
    sites.resid_post =
        sites.resid_mid + r * optional(sites.mlp_out, m_weights.mlp_post_norm);
  }

  Matrix dense(const Matrix& z, const FeedForwardWeights& weights,
               OracleSites* sites) const {
    const auto f = [this](double x) { return activation(x); };
    Matrix h, gate, up;
    if (m_spec.mlpForm == MlpForm::Gated) {
      gate = product(z, weights.W_gate);
      up = product(z, weights.W_up);
      h = gate.unaryExpr(f).array() * up.array();
    } else {
      gate = product(z, weights.W_in);
      h = gate.unaryExpr(f);
    }
    if (sites) sites->gate = gate, sites->up = up, sites->h = h;
    return product(h, weights.W_down);
  }

  /// By the definition, expert by expert, with a full sort.
  Matrix mixture(const Matrix& z) const {
    const MixtureSpec& spec = *m_spec.mixture;
    const Matrix scores = product(z, m_weights.W_router);
    Matrix sum = Matrix::Zero(z.rows(), z.cols());
    for (Eigen::Index row = 0; row < z.rows(); ++row) {
      const Matrix shares =
          scores.row(row).array().exp() / scores.row(row).array().exp().sum();
      std::vector<std::pair<double, std::size_t>> order;
      for (Eigen::Index e = 0; e < spec.experts; ++e)
        order.emplace_back(-shares(0, e), static_cast<std::size_t>(e));
      std::sort(order.begin(), order.end());
      order.resize(static_cast<std::size_t>(spec.active));
      double kept = 0.0;
      for (const auto& [share, expert] : order) kept -= share;
      for (const auto& [share, expert] : order)
        sum.row(row) += -share / (spec.normaliseGates ? kept : 1.0) *
                        dense(z.row(row), m_weights.experts[expert], nullptr);
    }
    if (spec.sharedWidth == 0) return sum;
    const Matrix gates = product(z, m_weights.W_shared_router).unaryExpr([](double x) {
      return 1.0 / (1.0 + std::exp(-x));
    });
    const Matrix shared = dense(z, m_weights.shared, nullptr);
    return sum + Matrix(shared.array().colwise() * gates.col(0).array());
  }

  ModelSpec m_spec;
  LayerWeights m_weights;
};

}  // namespace equipatch::test

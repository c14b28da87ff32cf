#pragma once

#include <Eigen/Core>
#include <cmath>
#include <complex>
#include <utility>

#include "core/checkpoint/spec.h"
#include "core/model/weights.h"
#include "tests/core/model/eigen_tensor.h"

namespace equipatch::test {

struct OracleSites {
  Matrix attn_in, attn_out, resid_mid, z, gate, up, h, mlp_out, resid_post;
};

/// One block of a sequence that starts at position 0, by the formulas and plain loops.
/// Rotations are unscaled.
class BlockOracle {
 public:
  BlockOracle(const ModelSpec& spec, LayerWeights weights)
      : m_spec(spec), m_weights(std::move(weights)) {}

  static Matrix product(const Matrix& x, const Linear& linear) {
    Matrix y = x * toMatrix(linear.weight).transpose();
    if (linear.bias.defined()) y.rowwise() += toMatrix(linear.bias).row(0);
    return y;
  }

  Matrix norm(Matrix x, const Tensor& m) const {
    for (Eigen::Index row = 0; row < x.rows(); ++row)
      x.row(row) /= std::sqrt(x.row(row).squaredNorm() / static_cast<double>(x.cols()) +
                              m_spec.norm.eps);
    return x.array().rowwise() * toMatrix(m).row(0).array();
  }

  double activation(double x) const {
    if (m_spec.activation == Activation::Silu) return x / (1.0 + std::exp(-x));
    if (m_spec.activation == Activation::GeluExact)
      return 0.5 * x * std::erfc(-x / std::sqrt(2.0));
    return 0.5 * x *
           (1.0 + std::tanh(std::sqrt(2.0 / M_PI) * (x + 0.044715 * x * x * x)));
  }

  /// Rotated queries or keys [rows, heads·headDim].
  Matrix heads(const Matrix& attn_in, const Linear& linear, const Tensor& m) const {
    const Matrix all = product(attn_in, linear);
    const Eigen::Index size = m_spec.headDim, half = size / 2;
    Matrix rotated(all.rows(), all.cols());
    for (Eigen::Index row = 0; row < all.rows(); ++row)
      for (Eigen::Index at = 0; at < all.cols(); at += size) {
        const Matrix one = all.block(row, at, 1, size);
        const Matrix head = m.defined() ? norm(one, m) : one;
        for (Eigen::Index pair = 0; pair < half; ++pair) {
          const double frequency =
              std::exp(-2.0 * static_cast<double>(pair) / static_cast<double>(size) *
                       std::log(m_spec.layers[0].rope.theta));
          const auto turned = std::complex<double>(head(0, pair), head(0, pair + half)) *
                              std::polar(1.0, static_cast<double>(row) * frequency);
          rotated(row, at + pair) = turned.real();
          rotated(row, at + pair + half) = turned.imag();
        }
      }
    return rotated;
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
              m_spec.attentionScale *
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
    sites.attn_in = norm(x, m_weights.attn_norm);
    sites.attn_out = attention(sites.attn_in);
    sites.resid_mid = x + closed(sites.attn_out, m_weights.attn_post_norm);
    finish(sites);
    return sites;
  }

  /// Every row a sequence of its own.
  OracleSites forwardAlone(const Matrix& x) const {
    OracleSites sites;
    sites.attn_in = norm(x, m_weights.attn_norm);
    sites.attn_out.resize(x.rows(), x.cols());
    for (Eigen::Index row = 0; row < x.rows(); ++row)
      sites.attn_out.row(row) = attention(sites.attn_in.row(row));
    sites.resid_mid = x + closed(sites.attn_out, m_weights.attn_post_norm);
    finish(sites);
    return sites;
  }

 private:
  Matrix closed(const Matrix& out, const Tensor& m) const {
    return m.defined() ? norm(out, m) : out;
  }

  void finish(OracleSites& sites) const {
    sites.z = norm(sites.resid_mid, m_weights.mlp_norm);
    sites.gate = product(sites.z, m_weights.W_gate);
    sites.up = product(sites.z, m_weights.W_up);
    sites.h = sites.gate.unaryExpr([this](double x) { return activation(x); });
    sites.h.array() *= sites.up.array();
    sites.mlp_out = product(sites.h, m_weights.W_down);
    sites.resid_post = sites.resid_mid + closed(sites.mlp_out, m_weights.mlp_post_norm);
  }

  ModelSpec m_spec;
  LayerWeights m_weights;
};

}  // namespace equipatch::test

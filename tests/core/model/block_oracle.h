// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>

#include "tests/core/model/delta_net_oracle.h"
#include "tests/core/model/mlp_oracle.h"

namespace equipatch::test {

/// Computes one block by its formulas, for a sequence from position 0. Supports rotary
/// embedding of half-split pairs only, without scaling or proportional with factor 1.
class BlockOracle : public MlpOracle {
 public:
  using MlpOracle::MlpOracle;

  /// Normalises a query or key head. @param weights [headDim], or [heads, headDim]
  Matrix headNorm(const Matrix& one, const NormWeights& weights,
                  Eigen::Index head) const {
    const auto own = [&](const Tensor& all) {
      return all.defined() && all.dim() == 2 ? all[head] : all;
    };
    return norm(one, {.m = own(weights.m), .bias = own(weights.bias)});
  }

  /// Queries or keys after the rotary embedding, [rows, heads·headDim].
  Matrix heads(const Matrix& attn_in, const Linear& linear,
               const NormWeights& weights) const {
    Matrix all = product(attn_in, linear);
    if (m_spec.queryKeyNorm == QueryKeyNorm::WholeWidth) all = norm(all, weights);
    const bool eachHead = m_spec.queryKeyNorm == QueryKeyNorm::PerHead ||
                          m_spec.queryKeyNorm == QueryKeyNorm::OwnPerHead;
    const Eigen::Index size = m_spec.headDimOf(m_spec.layers[0]);
    for (Eigen::Index row = 0; row < all.rows(); ++row)
      for (Eigen::Index at = 0; at < all.cols(); at += size) {
        Matrix head = all.block(row, at, 1, size);
        if (eachHead) head = headNorm(head, weights, at / size);
        if (m_spec.layers[0].rope) rotate(head, static_cast<double>(row));
        all.block(row, at, 1, size) = head;
      }
    return all;
  }

  void rotate(Matrix& head, double position) const {
    const RopeSpec& rope = *m_spec.layers[0].rope;
    const Eigen::Index half = rope.dims / 2;
    const Eigen::Index turning =
        rope.scaling == RopeScaling::Proportional ? rope.turningPairs : half;
    for (Eigen::Index pair = 0; pair < turning; ++pair) {
      const double frequency =
          std::exp(-2.0 * static_cast<double>(pair) / static_cast<double>(rope.dims) *
                   std::log(rope.theta));
      const auto rotated = std::complex<double>(head(0, pair), head(0, pair + half)) *
                           std::polar(1.0, position * frequency);
      head(0, pair) = rotated.real();
      head(0, pair + half) = rotated.imag();
    }
  }

  Matrix values(const Matrix& attn_in) const {
    Matrix v =
        product(attn_in, m_spec.layers[0].valueIsKey ? m_weights.W_k : m_weights.W_v);
    const Eigen::Index size = m_spec.headDimOf(m_spec.layers[0]);
    if (!m_spec.valueNorm) return v;
    const NormWeights none{.m = at::ones({size}, at::kDouble), .bias = {}};
    for (Eigen::Index row = 0; row < v.rows(); ++row)
      for (Eigen::Index at = 0; at < v.cols(); at += size)
        v.block(row, at, 1, size) = norm(v.block(row, at, 1, size), none);
    return v;
  }

  Matrix mixer(const Matrix& attn_in) const {
    return m_spec.layers[0].recurrent ? deltaNetOracle(m_spec, m_weights, attn_in)
                                      : attention(attn_in);
  }

  Matrix attention(const Matrix& attn_in) const {
    const Matrix q = heads(attn_in, m_weights.W_q, m_weights.q_norm);
    const Matrix k = heads(attn_in, m_weights.W_k, m_weights.k_norm);
    const Matrix v = values(attn_in);
    Matrix mixed = Matrix::Zero(q.rows(), q.cols());
    const Eigen::Index size = m_spec.headDimOf(m_spec.layers[0]);
    const Eigen::Index group = m_spec.heads / m_spec.kvHeadsOf(m_spec.layers[0]);
    const Eigen::Index window = m_spec.layers[0].window.value_or(q.rows());
    for (Eigen::Index i = 0; i < q.rows(); ++i)
      for (Eigen::Index head = 0; head < m_spec.heads; ++head) {
        const Eigen::Index keyAt = head / group * size;
        const Tensor& sinks = m_weights.sinks;
        double total = sinks.defined() ? std::exp(sinks[head].item<double>()) : 0.0;
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
    if (m_spec.attentionGate)
      mixed.array() /= 1.0 + (-product(attn_in, m_weights.W_attn_gate).array()).exp();
    return product(mixed, m_weights.W_o);
  }

  OracleSites forward(const Matrix& x) const {
    OracleSites sites;
    sites.attn_in = optional(x, m_weights.attn_norm);
    sites.attn_out = mixer(sites.attn_in);
    finish(x, sites);
    return sites;
  }

  /// Takes each row as a sequence of one token.
  OracleSites forwardAlone(const Matrix& x) const {
    OracleSites sites;
    sites.attn_in = optional(x, m_weights.attn_norm);
    sites.attn_out.resize(x.rows(), x.cols());
    for (Eigen::Index row = 0; row < x.rows(); ++row)
      sites.attn_out.row(row) = mixer(sites.attn_in.row(row));
    finish(x, sites);
    return sites;
  }

 private:
  void finish(const Matrix& x, OracleSites& sites) const {
    const double r = m_spec.residualScale;
    const auto sum = [&](const Matrix& to, const Matrix& branch,
                         const NormWeights& post) {
      return m_spec.postNormPlace == PostNormPlace::Sum
                 ? optional(to + r * branch, post)
                 : Matrix(to + r * optional(branch, post));
    };
    sites.resid_mid = sum(x, sites.attn_out, m_weights.attn_post_norm);
    sites.mlp_in = m_spec.mlpInput == MlpInput::AttentionInput ? sites.attn_in
                   : m_spec.mlpInput == MlpInput::ResidPre
                       ? optional(x, m_weights.mlp_norm)
                       : optional(sites.resid_mid, m_weights.mlp_norm);
    sites.mlp_out = m_spec.hasDenseBeside() ? beside(sites.resid_mid)
                    : m_spec.layers[0].moe  ? moe(sites.mlp_in)
                                            : dense(sites.mlp_in, m_weights.mlp, &sites);
    sites.resid_post = sum(sites.resid_mid, sites.mlp_out, m_weights.mlp_post_norm);
    sites.output = output(sites.resid_post);
  }
};

}  // namespace equipatch::test

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/delta_net.h"

#include <algorithm>
#include <cmath>

#include "core/model/feed_forward.h"
#include "core/model/not_finite.h"

namespace equipatch {
namespace {

/// Σ over `axis`; in the alternate order the second half first.
Tensor sumOver(const Tensor& terms, std::int64_t axis, SummationOrder order) {
  const std::int64_t count = terms.size(axis), half = count / 2;
  if (order == SummationOrder::Standard || half == 0) return terms.sum(axis);
  return terms.narrow(axis, half, count - half).sum(axis) +
         terms.narrow(axis, 0, half).sum(axis);
}

Tensor unitLength(const Tensor& x, SummationOrder order) {
  return x *
         at::rsqrt(infinityAsNaN(sumOver(x.square(), -1, order)) + 1e-6).unsqueeze(-1);
}

}  // namespace

/// One token's contribution to the recurrence, per value head.
struct DeltaNet::Token {
  Tensor q, k;         ///< [valueHeads, keyDim]
  Tensor v;            ///< [valueHeads, valueDim]
  Tensor alpha, beta;  ///< [valueHeads]
};

DeltaNet::DeltaNet(const ModelSpec& spec, LayerIndex layer, const LayerWeights& weights)
    : m_delta(*spec.deltaNet),
      m_norm{.eps = spec.norm.eps},
      m_layer(layer),
      m_weights(weights) {}

Tensor DeltaNet::forward(const Tensor& attn_in, const RowBatch& batch,
                         const Arithmetic& arithmetic) const {
  const DeltaNetWeights& weights = m_weights.delta;
  const auto project = [&](const Linear& W) {
    const Tensor y = arithmetic.product(attn_in, W);
    arithmetic.roundInPlace(y);
    return y;
  };
  const Tensor inputs =
      at::cat({project(weights.W_in), project(weights.W_b), project(weights.W_a)}, 1);
  const Tensor z = project(weights.W_z);
  std::vector<Tensor> rows = contextRows(inputs, batch, arithmetic);
  for (Tensor& reduced : reducedRows(inputs, batch, arithmetic))
    rows.push_back(std::move(reduced));
  // o [rows, valueHeads, valueDim] → its norm, gated by z.
  const Tensor o = arithmetic.round(at::stack(rows));
  const Tensor n =
      arithmetic.round(normalised(o, m_norm, arithmetic.order())) * weights.norm;
  const Tensor gated =
      arithmetic.round(arithmetic.round(n).view({batch.rows(), m_delta.values()}) *
                       activated(z, Activation::Silu));
  const Tensor attn_out = arithmetic.product(gated, m_weights.W_o);
  arithmetic.roundInPlace(attn_out);
  return attn_out;
}

/// @param inputs of the token and of up to kernel − 1 before it, oldest first
DeltaNet::Token DeltaNet::token(const Tensor& inputs,
                                const Arithmetic& arithmetic) const {
  const SummationOrder order = arithmetic.order();
  const DeltaNetWeights& weights = m_weights.delta;
  const std::int64_t channels = m_delta.channels(), heads = m_delta.valueHeads;
  const Tensor wide = inputs.to(arithmetic.wide());
  // The convolution sees zeros before the text.
  const Tensor taps = weights.conv.narrow(0, m_delta.kernel - wide.size(0), wide.size(0));
  Tensor c = sumOver(wide.narrow(1, 0, channels) * taps, 0, order);
  arithmetic.roundInPlace(c);
  c = arithmetic.round(activated(c.unsqueeze(0), Activation::Silu)).squeeze(0);
  const std::int64_t keys = m_delta.keys(), group = heads / m_delta.keyHeads;
  const auto headed = [&](std::int64_t first) {
    const Tensor x = c.narrow(0, first, keys).view({m_delta.keyHeads, m_delta.keyDim});
    return arithmetic.round(unitLength(x, order)).repeat_interleave(group, 0);
  };
  const Tensor own = wide.select(0, wide.size(0) - 1);
  const Tensor beta = logistic(own.narrow(0, channels, heads));
  const Tensor a = own.narrow(0, channels + heads, heads) + weights.dt_bias;
  return {.q = headed(0) / std::sqrt(static_cast<double>(m_delta.keyDim)),
          .k = headed(keys),
          .v = c.narrow(0, 2 * keys, m_delta.values()).view({heads, m_delta.valueDim}),
          .alpha = at::exp(weights.decay * at::softplus(infinityAsNaN(a))),
          .beta = arithmetic.round(beta)};
}

/// The state [valueHeads, keyDim, valueDim] after the token. An undefined `state` is
/// zero.
Tensor DeltaNet::next(const Tensor& state, const Token& token,
                      const Arithmetic& arithmetic) const {
  const Tensor k = token.k.unsqueeze(2), beta = token.beta.unsqueeze(1);
  if (!state.defined()) return k * (token.v * beta).unsqueeze(1);
  const Tensor decayed = state * token.alpha.view({m_delta.valueHeads, 1, 1});
  const Tensor known = sumOver(decayed * k, 1, arithmetic.order());
  return decayed + k * ((token.v - known) * beta).unsqueeze(1);
}

/// o [valueHeads, valueDim] of the newest token; moves the state on.
Tensor DeltaNet::row(Tensor& state, const Tensor& inputs,
                     const Arithmetic& arithmetic) const {
  const Token newest = token(inputs, arithmetic);
  state = next(state, newest, arithmetic);
  return sumOver(state * newest.q.unsqueeze(2), 1, arithmetic.order());
}

std::vector<Tensor> DeltaNet::contextRows(const Tensor& inputs, const RowBatch& batch,
                                          const Arithmetic& arithmetic) const {
  if (batch.contextRows == 0) return {};
  RecurrentMemory& memory = batch.cache->recurrent(m_layer);
  const std::int64_t from = batch.visibleFrom;
  Tensor state = memory.state(from, batch.firstPosition,
                              [&](const Tensor& before, const Tensor& seen) {
                                return next(before, token(seen, arithmetic), arithmetic);
                              });
  const Tensor own = inputs.narrow(0, 0, batch.contextRows);
  const Tensor before = memory.recent(from, batch.firstPosition);
  const Tensor all = at::cat({before.to(inputs.scalar_type()), own});
  memory.write(batch.firstPosition, own);
  std::vector<Tensor> rows;
  for (std::int64_t at = 0; at < batch.contextRows; ++at) {
    const std::int64_t end = before.size(0) + at + 1;
    const std::int64_t seen = std::min(end, m_delta.kernel);
    rows.push_back(row(state, all.narrow(0, end - seen, seen), arithmetic));
    memory.keep(from, batch.firstPosition + at + 1, state);
  }
  return rows;
}

std::vector<Tensor> DeltaNet::reducedRows(const Tensor& inputs, const RowBatch& batch,
                                          const Arithmetic& arithmetic) const {
  std::vector<Tensor> rows;
  for (std::int64_t at = batch.contextRows; at < batch.rows(); ++at) {
    Tensor seen = inputs.narrow(0, at, 1), state;
    if (!batch.kept.empty()) {
      RecurrentMemory& memory = batch.cache->recurrent(m_layer);
      const std::vector<std::int64_t>& kept = batch.kept.positions();
      state = memory.state(kept, [&](const Tensor& before, const Tensor& some) {
        return next(before, token(some, arithmetic), arithmetic);
      });
      seen = at::cat({memory.recent(kept).to(inputs.scalar_type()), seen});
    }
    rows.push_back(row(state, seen, arithmetic));
  }
  return rows;
}

}  // namespace equipatch

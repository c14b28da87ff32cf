// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/delta_net.h"

#include <algorithm>
#include <cmath>

#include "core/kernel/delta_rule.h"
#include "core/model/feed_forward.h"
#include "core/model/not_finite.h"

namespace equipatch {
namespace {

// At most this many tokens of a prompt are computed together, to limit memory.
constexpr std::int64_t kTokensTogether = 256;

/// Σ over `axis`. The alternate order starts with the second half.
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

Tensor zeroState(const DeltaTokens& tokens) {
  return at::zeros({tokens.v.size(1), tokens.k.size(2), tokens.v.size(2)},
                   tokens.v.options());
}

template <typename T>
Tensor onHost(const DeltaStates& states, const DeltaTokens& tokens,
              SummationOrder order) {
  const Tensor o = at::empty_like(tokens.v);
  Tensor before = states.before;
  if (states.after) {
    if (!before.defined()) before = zeroState(tokens);
    *states.after = at::empty_like(before);
  }
  applyDeltaRule(
      DeltaRule<T>{.tokens = tokens.count(),
                   .heads = tokens.v.size(1),
                   .keyDim = tokens.k.size(2),
                   .valueDim = tokens.v.size(2),
                   .q = tokens.q.data_ptr<T>(),
                   .k = tokens.k.data_ptr<T>(),
                   .v = tokens.v.data_ptr<T>(),
                   .alpha = tokens.alpha.data_ptr<T>(),
                   .beta = tokens.beta.data_ptr<T>(),
                   .before = before.defined() ? before.data_ptr<T>() : nullptr,
                   .after = states.after ? states.after->data_ptr<T>() : nullptr,
                   .o = o.data_ptr<T>(),
                   .order = order});
  return o;
}

Tensor deltaRule(const DeltaStates& states, const DeltaTokens& tokens,
                 SummationOrder order) {
  return tokens.v.is_cpu() ? deltaRuleOnHost(states, tokens, order)
                           : deltaRuleByLibtorch(states, tokens, order);
}

}  // namespace

DeltaTokens DeltaTokens::range(std::int64_t first, std::int64_t tokens) const {
  const auto part = [&](const Tensor& all) { return all.narrow(0, first, tokens); };
  return {part(q), part(k), part(v), part(alpha), part(beta)};
}

Tensor deltaRuleOnHost(const DeltaStates& states, const DeltaTokens& tokens,
                       SummationOrder order) {
  return tokens.v.scalar_type() == at::kDouble ? onHost<double>(states, tokens, order)
                                               : onHost<float>(states, tokens, order);
}

Tensor deltaRuleByLibtorch(const DeltaStates& states, const DeltaTokens& tokens,
                           SummationOrder order) {
  Tensor state = states.before.defined() ? states.before : zeroState(tokens);
  std::vector<Tensor> rows;
  for (std::int64_t at = 0; at < tokens.count(); ++at) {
    const Tensor k = tokens.k.select(0, at).unsqueeze(2);
    const Tensor beta = tokens.beta.select(0, at).unsqueeze(1);
    state = state * tokens.alpha.select(0, at).view({-1, 1, 1});
    const Tensor known = sumOver(state * k, 1, order);
    state = state + k * ((tokens.v.select(0, at) - known) * beta).unsqueeze(1);
    rows.push_back(sumOver(state * tokens.q.select(0, at).unsqueeze(2), 1, order));
  }
  if (states.after) *states.after = state;
  return at::stack(rows);
}

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
  if (batch.contextRows < batch.rows())
    rows.push_back(reducedRows(inputs, batch, arithmetic));
  // o [rows, valueHeads, valueDim] → RMSNorm(o) ⊙ SiLU(z) [rows, values].
  const Tensor o = arithmetic.round(at::cat(rows));
  const Tensor n =
      arithmetic.round(normalised(o, m_norm, arithmetic.order())) * weights.norm;
  const Tensor gated =
      arithmetic.round(arithmetic.round(n).view({batch.rows(), m_delta.values()}) *
                       activated(z, Activation::Silu));
  const Tensor attn_out = arithmetic.product(gated, m_weights.W_o);
  arithmetic.roundInPlace(attn_out);
  return attn_out;
}

/// @param windows [tokens, inputs, kernel]: the inputs of the kernel − 1 previous tokens
/// and of the token itself, oldest first; zeros in place of missing tokens
DeltaTokens DeltaNet::tokens(const Tensor& windows, const Arithmetic& arithmetic) const {
  const SummationOrder order = arithmetic.order();
  const std::int64_t count = windows.size(0), heads = m_delta.valueHeads;
  const Tensor c = convolved(windows, arithmetic);
  const std::int64_t keys = m_delta.keys(), group = heads / m_delta.keyHeads;
  const auto headed = [&](std::int64_t first) {
    const Tensor x =
        c.narrow(1, first, keys).reshape({count, m_delta.keyHeads, m_delta.keyDim});
    return arithmetic.round(unitLength(x, order))
        .repeat_interleave(group, 1)
        .contiguous();
  };
  const Tensor own = windows.select(2, m_delta.kernel - 1)
                         .narrow(1, m_delta.channels(), 2 * heads)
                         .to(arithmetic.wide());
  const Tensor a = own.narrow(1, heads, heads) + m_weights.delta.dt_bias;
  const Tensor alpha = rowwise(
      m_weights.delta.decay *
          rowwise(infinityAsNaN(a), [](const auto& x) { return at::softplus(x); }),
      [](const auto& x) { return at::exp(x); });
  return {.q = headed(0) / std::sqrt(static_cast<double>(m_delta.keyDim)),
          .k = headed(keys),
          .v = c.narrow(1, 2 * keys, m_delta.values())
                   .reshape({count, heads, m_delta.valueDim})
                   .contiguous(),
          .alpha = alpha.contiguous(),
          .beta = arithmetic.round(logistic(own.narrow(1, 0, heads))).contiguous()};
}

/// The causal convolution and SiLU: windows as in `tokens` → [tokens, channels]. The
/// alternate order adds the newer half of the kernel first.
Tensor DeltaNet::convolved(const Tensor& windows, const Arithmetic& arithmetic) const {
  const std::int64_t kernel = m_delta.kernel;
  const std::int64_t begin =
      arithmetic.order() == SummationOrder::Standard ? 0 : kernel / 2;
  Tensor c;
  for (std::int64_t term = 0; term < kernel; ++term) {
    const std::int64_t at = (begin + term) % kernel;
    const Tensor x = windows.select(2, at).narrow(1, 0, m_delta.channels());
    const Tensor product = x.to(arithmetic.wide()) * m_weights.delta.conv.select(0, at);
    c = c.defined() ? c.add_(product) : product;
  }
  arithmetic.roundInPlace(c);
  return arithmetic.round(activated(c, Activation::Silu));
}

/// The convolution's window at the last token of `seen` [≤ kernel, inputs], oldest first
/// → [1, inputs, kernel], with zeros in place of missing tokens.
Tensor DeltaNet::windowOf(const Tensor& seen) const {
  const std::int64_t missing = m_delta.kernel - seen.size(0);
  return at::constant_pad_nd(seen, {0, 0, missing, 0}).t().unsqueeze(0);
}

std::vector<Tensor> DeltaNet::contextRows(const Tensor& inputs, const RowBatch& batch,
                                          const Arithmetic& arithmetic) const {
  if (batch.contextRows == 0) return {};
  RecurrentMemory& memory = batch.cache->recurrent(m_layer);
  const std::int64_t from = batch.visibleFrom;
  Tensor state = memory.state(from, batch.firstPosition, stepOf(arithmetic));
  const Tensor own = inputs.narrow(0, 0, batch.contextRows);
  const Tensor before = memory.recent(from, batch.firstPosition);
  const Tensor all = at::constant_pad_nd(at::cat({before.to(inputs.scalar_type()), own}),
                                         {0, 0, m_delta.kernel - 1 - before.size(0), 0});
  memory.write(batch.firstPosition, own);
  std::vector<Tensor> rows;
  const auto append = [&](const DeltaTokens& some, std::int64_t end) {
    rows.push_back(deltaRule({state, &state}, some, arithmetic.order()));
    memory.keep(from, batch.firstPosition + end, state);
  };
  for (std::int64_t first = 0; first < batch.contextRows; first += kTokensTogether) {
    const std::int64_t count = std::min(kTokensTogether, batch.contextRows - first);
    const Tensor seen = all.narrow(0, first, count + m_delta.kernel - 1);
    const DeltaTokens some = tokens(seen.unfold(0, m_delta.kernel, 1), arithmetic);
    // The last token is computed alone, so that the memory keeps the state before it.
    if (count > 1) append(some.range(0, count - 1), first + count - 1);
    append(some.range(count - 1, 1), first + count);
  }
  return rows;
}

RecurrentMemory::Step DeltaNet::stepOf(const Arithmetic& arithmetic) const {
  return [this, &arithmetic](const Tensor& before, const Tensor& seen) {
    Tensor state;
    deltaRule({before, &state}, tokens(windowOf(seen), arithmetic), arithmetic.order());
    return state;
  };
}

Tensor DeltaNet::reducedRows(const Tensor& inputs, const RowBatch& batch,
                             const Arithmetic& arithmetic) const {
  const std::int64_t count = batch.rows() - batch.contextRows;
  const Tensor own = inputs.narrow(0, batch.contextRows, count);
  Tensor before, state;  // the kept tokens' last inputs, the state after them
  if (!batch.kept.empty()) {
    RecurrentMemory& memory = batch.cache->recurrent(m_layer);
    state = memory.state(batch.kept.positions(), stepOf(arithmetic));
    before = memory.recent(batch.kept.positions()).to(inputs.scalar_type());
  }
  std::vector<Tensor> windows;
  for (std::int64_t at = 0; at < count; ++at) {
    const Tensor newest = own.narrow(0, at, 1);
    windows.push_back(windowOf(before.defined() ? at::cat({before, newest}) : newest));
  }
  const DeltaTokens all = tokens(at::cat(windows), arithmetic);
  // Even if nothing is kept, a reduced row is computed like a context row. Thus the first
  // token of a text gets the same bits in both rows and needs no patch.
  std::vector<Tensor> rows;
  for (std::int64_t at = 0; at < count; ++at)
    rows.push_back(deltaRule({state}, all.range(at, 1), arithmetic.order()));
  return at::cat(rows);
}

}  // namespace equipatch

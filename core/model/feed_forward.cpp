// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/feed_forward.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "core/kernel/row_operations.h"
#include "core/kernel/threads.h"
#include "core/model/not_finite.h"

namespace equipatch {
namespace {

/// One row's top-k experts, most probable first, NaN last.
std::vector<std::int64_t> topExperts(const double* probabilities, const MoeSpec& moe) {
  const auto rank = [&](std::int64_t expert) {
    return std::isnan(probabilities[expert]) ? -1.0 : probabilities[expert];
  };
  std::vector<std::int64_t> experts(static_cast<std::size_t>(moe.experts));
  std::iota(experts.begin(), experts.end(), 0);
  const auto end = experts.begin() + moe.active;
  std::partial_sort(experts.begin(), end, experts.end(),
                    [&](std::int64_t a, std::int64_t b) {
                      return rank(a) > rank(b) || (rank(a) == rank(b) && a < b);
                    });
  experts.erase(end, experts.end());
  return experts;
}

/// One expert's rows and its gate in each.
struct Members {
  std::vector<std::int64_t> rows;
  std::vector<double> gates;
};

Tensor libtorchActivation(const Tensor& x, Activation activation) {
  switch (activation) {
    case Activation::GeluTanh:
      return at::gelu(x, "tanh");
    case Activation::GeluExact: {
      constexpr double kInverseRoot2 = 0.7071067811865476;
      return 0.5 * x * (1.0 + at::erf(x * kInverseRoot2));
    }
    case Activation::QuickGelu:
      return x * at::sigmoid(1.702 * x);
    case Activation::Relu:
      return at::relu(infinityAsNaN(x));
    case Activation::Silu:
      break;
  }
  return at::silu(x);
}

/// The a and b of an activation x σ(a x + b x³), nullopt for other activations. GELU's
/// tanh approximation is x σ(a x + b x³), because ½ (1 + tanh t) = σ(2t).
std::optional<SelfGate> gateOf(Activation activation) {
  constexpr double kGelu = 2.0 * 0.7978845608028654;  // 2 √(2/π)
  switch (activation) {
    case Activation::GeluTanh:
      return SelfGate{kGelu, 0.044715 * kGelu};
    case Activation::QuickGelu:
      return SelfGate{1.702};
    case Activation::Silu:
      return SelfGate{};
    case Activation::GeluExact:
    case Activation::Relu:
      break;
  }
  return std::nullopt;
}

Tensor gatedOnHost(const Tensor& x, SelfGate gate) {
  return hostResult(x, x.sizes(), [&](const auto* from, auto* to) {
    onLibraryThreads(x.numel(), kElementsWorthAThread, [&](auto begin, auto end) {
      const auto count = static_cast<std::size_t>(end - begin);
      selfGate(gate, {from + begin, count}, {to + begin, count});
    });
  });
}

}  // namespace

Tensor activated(const Tensor& x, Activation activation) {
  const std::optional<SelfGate> gate = gateOf(activation);
  if (gate && x.is_cpu()) return gatedOnHost(x, *gate);
  return rowwise(x,
                 [&](const Tensor& all) { return libtorchActivation(all, activation); });
}

Tensor logistic(const Tensor& x) {
  return rowwise(infinityAsNaN(x), [](const Tensor& all) { return at::sigmoid(all); });
}

Tensor gatedHidden(const Tensor& gate, const Tensor& up, Activation activation,
                   const Arithmetic& arithmetic) {
  const Tensor h = activated(gate, activation);
  arithmetic.roundInPlace(h);
  h.mul_(up);
  arithmetic.roundInPlace(h);
  return h;
}

Tensor clampedHidden(const Tensor& gate, const Tensor& up, const ModelSpec& spec,
                     const Arithmetic& arithmetic) {
  const double limit = *spec.gateLimit;
  return gatedHidden(infinityAsNaN(gate).clamp_max(limit),
                     arithmetic.round(infinityAsNaN(up).clamp(-limit, limit) + 1.0),
                     spec.activation, arithmetic);
}

namespace {

Tensor inProjection(const HookedBlock& block, Product product, BlockHooks& hooks) {
  product.output = block.arithmetic.product(product.input, product.linear);
  hooks.hookInProjection(block, product);
  block.arithmetic.roundInPlace(product.output);
  return product.output;
}

}  // namespace

/// The dense MLP or one expert, and the rows that use it.
struct FeedForward::Mlp {
  std::int64_t expert = MatrixId::kDense;
  const FeedForwardWeights& weights;
  Tensor input;                    ///< [n, width]
  std::vector<std::int64_t> rows;  ///< [n] indices in the batch; empty: all rows
  Tensor gates;
};

FeedForward::FeedForward(const ModelSpec& spec, LayerIndex layer,
                         const LayerWeights& weights)
    : m_spec(spec),
      m_layerSpec(spec.layers.at(static_cast<std::size_t>(layer.value))),
      m_weights(weights) {}

DownProduct FeedForward::downProduct(const HookedBlock& block, const Mlp& mlp,
                                     BlockHooks& hooks) const {
  const auto project = [&](MatrixRole role, const Linear& linear) {
    return inProjection(block, {{role, mlp.expert}, linear, mlp.input, {}, mlp.rows},
                        hooks);
  };
  Tensor h;
  if (m_spec.mlpForm == MlpForm::Gated) {
    const Tensor gate = project(MatrixRole::Gate, mlp.weights.W_gate);
    const Tensor up = project(MatrixRole::Up, mlp.weights.W_up);
    h = m_spec.gateLimit ? clampedHidden(gate, up, m_spec, block.arithmetic)
                         : gatedHidden(gate, up, m_spec.activation, block.arithmetic);
  } else {
    h = block.arithmetic.round(
        activated(project(MatrixRole::In, mlp.weights.W_in), m_spec.activation));
  }
  const Linear& W_down = mlp.weights.W_down;
  const bool dense = mlp.expert == MatrixId::kDense;
  const Tensor y = block.arithmetic.product(h, {.weight = W_down.weight,
                                                .bias = dense ? Tensor() : W_down.bias,
                                                .packed = W_down.packed});
  return {{{MatrixRole::Down, mlp.expert}, W_down, h, y, mlp.rows}, mlp.gates};
}

std::vector<DownProduct> FeedForward::products(const HookedBlock& block,
                                               const MlpInputs& inputs,
                                               BlockHooks& hooks) const {
  std::vector<DownProduct> down;
  if (m_layerSpec.moe) addExperts(block, inputs, hooks, down);
  if (!m_layerSpec.moe || m_spec.hasDenseBeside())
    addDense(block, inputs.dense, hooks, down);
  return down;
}

void FeedForward::addDense(const HookedBlock& block, const Tensor& mlp_in,
                           BlockHooks& hooks, std::vector<DownProduct>& down) const {
  const Mlp dense{.expert = m_layerSpec.moe ? MatrixId::kBeside : MatrixId::kDense,
                  .weights = m_weights.mlp,
                  .input = mlp_in,
                  .rows = {},
                  .gates = {}};
  down.push_back(downProduct(block, dense, hooks));
}

void FeedForward::addExperts(const HookedBlock& block, const MlpInputs& inputs,
                             BlockHooks& hooks, std::vector<DownProduct>& down) const {
  const Tensor& mlp_in = inputs.experts;
  const auto routerScores = [&](MatrixRole role, const Linear& linear) {
    return inProjection(block,
                        {.id = {role},
                         .linear = linear,
                         .input = inputs.router,
                         .output = {},
                         .rows = {}},
                        hooks);
  };
  const Tensor scores = routerScores(MatrixRole::Router, m_weights.W_router);
  for (RoutedExpert& routed : route(scores, *m_spec.moe, block.arithmetic)) {
    if (m_weights.expert_scale.defined())
      routed.gates =
          block.arithmetic.round(routed.gates * m_weights.expert_scale[routed.expert]);
    const Tensor index = at::tensor(routed.rows, at::kLong).to(mlp_in.device());
    const Mlp expert{
        .expert = routed.expert,
        .weights = m_weights.experts[static_cast<std::size_t>(routed.expert)],
        .input = mlp_in.index_select(0, index),
        .rows = std::move(routed.rows),
        .gates = routed.gates};
    down.push_back(downProduct(block, expert, hooks));
  }
  if (m_spec.moe->sharedWidth == 0) return;
  const Tensor gate = routerScores(MatrixRole::SharedRouter, m_weights.W_shared_router);
  const Mlp shared{.expert = MatrixId::kShared,
                   .weights = m_weights.shared,
                   .input = mlp_in,
                   .rows = {},
                   .gates = block.arithmetic.round(logistic(gate)).select(1, 0)};
  down.push_back(downProduct(block, shared, hooks));
}

Tensor FeedForward::sum(const HookedBlock& block, const std::vector<DownProduct>& down,
                        std::int64_t rows, BlockHooks& hooks) const {
  Tensor y = down.front().output;
  if (m_layerSpec.moe) {
    y = at::zeros({rows, m_spec.width}, y.options());
    for (const DownProduct& product : down) {
      if (product.id.expert == MatrixId::kBeside)
        return besideSum(block, product, y, hooks);
      const Tensor weighted = product.output * product.gates.unsqueeze(1);
      if (product.rows.empty())
        y.add_(weighted);
      else
        y.index_add_(0, at::tensor(product.rows, at::kLong).to(y.device()), weighted);
    }
  }
  const Tensor& b_down = biasAfter(down);
  if (!b_down.defined()) return y;
  Tensor bias = b_down.expand({rows, m_spec.width});
  hooks.hookOutBias(block, bias);
  return y + bias;
}

/// @param experts Σ gate · W_down h of the experts [rows, width], before their norm
Tensor FeedForward::besideSum(const HookedBlock& block, const DownProduct& dense,
                              const Tensor& experts, BlockHooks& hooks) const {
  const Arithmetic& arithmetic = block.arithmetic;
  const Tensor n =
      block.outer.normalisedOutput(arithmetic.round(dense.output), arithmetic);
  Tensor branch = block.outer.branch(n, m_weights.dense_post_norm, arithmetic);
  hooks.hookDenseScale(block, n, branch);
  return branch + norm(arithmetic.round(experts), m_weights.experts_post_norm,
                       m_spec.norm, arithmetic);
}

std::vector<RoutedExpert> route(const Tensor& scores, const MoeSpec& moe,
                                const Arithmetic& arithmetic) {
  const Tensor probabilities =
      at::softmax(infinityAsNaN(scores), -1).to(at::kCPU, at::kDouble).contiguous();
  std::map<std::int64_t, Members> members;
  for (std::int64_t row = 0; row < scores.size(0); ++row) {
    const double* p = probabilities.data_ptr<double>() + row * moe.experts;
    const std::vector<std::int64_t> experts = topExperts(p, moe);
    double sum = 1.0;
    if (moe.normaliseGates) {
      sum = 0.0;
      for (const std::int64_t expert : experts) sum += p[expert];
    }
    for (const std::int64_t expert : experts) {
      members[expert].rows.push_back(row);
      members[expert].gates.push_back(p[expert] / sum);
    }
  }
  std::vector<RoutedExpert> routed;
  for (auto& [expert, member] : members)
    routed.push_back({expert, std::move(member.rows),
                      arithmetic.round(at::tensor(member.gates, at::kDouble)
                                           .to(scores.device(), arithmetic.wide()))});
  return routed;
}

}  // namespace equipatch

#include "core/model/feed_forward.h"

#include <optional>
#include <utility>

#include "core/kernel/threads.h"
#include "core/kernel/row_operations.h"
#include "core/model/host_result.h"

namespace equipatch {

namespace {

Tensor activatedWhole(const Tensor& x, Activation activation) {
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
      return at::relu(x);
    case Activation::Silu:
      break;
  }
  return at::silu(x);
}

/// The activations that are a kernel on the host: those that a number's own sigmoid
/// gates, where ½ (1 + tanh t) is σ(2t).
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

/// f of each number. libtorch computes a tensor's down few numbers by other instructions
/// than the rest; without whole vectors a row's result would depend on the rows beside
/// it.
template <typename Function>
Tensor rowByRow(const Tensor& x, const Function& f) {
  constexpr std::int64_t kVector = 64;
  const std::int64_t width = x.size(-1), rest = width % kVector;
  if (rest == 0) return f(x);
  return f(at::constant_pad_nd(x, {0, kVector - rest})).narrow(-1, 0, width);
}

}  // namespace

Tensor activated(const Tensor& x, Activation activation) {
  const std::optional<SelfGate> gate = gateOf(activation);
  if (gate && x.is_cpu()) return gatedOnHost(x, *gate);
  return rowByRow(x, [&](const Tensor& all) { return activatedWhole(all, activation); });
}

Tensor gatedHidden(const Tensor& gate, const Tensor& up, Activation activation,
                   const Arithmetic& arithmetic) {
  const Tensor h = activated(gate, activation);
  arithmetic.roundInPlace(h);
  h.mul_(up);
  arithmetic.roundInPlace(h);
  return h;
}

namespace {

Tensor sharedGate(const Tensor& x) {
  return rowByRow(x, [](const Tensor& all) { return at::sigmoid(all); });
}

/// W mlp_in + b of an input projection after the hooks, rounded.
Tensor inProjection(const BlockView& view, Product product, BlockHooks& hooks) {
  product.output = view.arithmetic.product(product.input, product.linear);
  hooks.hookInProjection(view, product);
  view.arithmetic.roundInPlace(product.output);
  return product.output;
}

}  // namespace

/// One feed-forward and the rows that use it.
struct FeedForward::Use {
  std::int64_t expert = MatrixId::kDense;
  const FeedForwardWeights& weights;
  Tensor mlp_in;                   ///< of those rows
  std::vector<std::int64_t> rows;  ///< empty: all of the batch
  Tensor gates;
};

FeedForward::FeedForward(const ModelSpec& spec, LayerIndex layer,
                         const LayerWeights& weights)
    : m_spec(spec),
      m_layerSpec(spec.layers.at(static_cast<std::size_t>(layer.value))),
      m_weights(weights) {}

DownProduct FeedForward::use(const BlockView& view, const Use& use,
                             BlockHooks& hooks) const {
  const auto first = [&](MatrixRole role, const Linear& linear) {
    return inProjection(view, {{role, use.expert}, linear, use.mlp_in, {}, use.rows},
                        hooks);
  };
  Tensor h;
  if (m_spec.mlpForm == MlpForm::Gated) {
    const Tensor gate = first(MatrixRole::Gate, use.weights.W_gate);
    const Tensor up = first(MatrixRole::Up, use.weights.W_up);
    h = gatedHidden(gate, up, m_spec.activation, view.arithmetic);
  } else {
    h = view.arithmetic.round(
        activated(first(MatrixRole::In, use.weights.W_in), m_spec.activation));
  }
  const Linear& W_down = use.weights.W_down;
  const Tensor y = view.arithmetic.product(h, {.weight = W_down.weight, .bias = {}});
  return {{{MatrixRole::Down, use.expert}, W_down, h, y, use.rows}, use.gates};
}

std::vector<DownProduct> FeedForward::products(const BlockView& view,
                                               const Tensor& mlp_in,
                                               BlockHooks& hooks) const {
  std::vector<DownProduct> down;
  if (m_layerSpec.moe)
    addExperts(view, mlp_in, hooks, down);
  else
    down.push_back(
        use(view, {MatrixId::kDense, m_weights.mlp, mlp_in, {}, Tensor()}, hooks));
  return down;
}

void FeedForward::addExperts(const BlockView& view, const Tensor& mlp_in,
                             BlockHooks& hooks, std::vector<DownProduct>& down) const {
  const Tensor scores = inProjection(
      view, {{MatrixRole::Router}, m_weights.W_router, mlp_in, {}, {}}, hooks);
  for (RoutedExpert& share : route(scores, *m_spec.moe, view.arithmetic)) {
    const Tensor index = at::tensor(share.rows, at::kLong).to(mlp_in.device());
    const auto& weights = m_weights.experts[static_cast<std::size_t>(share.expert)];
    down.push_back(use(view,
                       {share.expert, weights, mlp_in.index_select(0, index),
                        std::move(share.rows), share.gates},
                       hooks));
  }
  if (m_spec.moe->sharedWidth == 0) return;
  const Tensor gate = inProjection(view,
                                   {{MatrixRole::SharedRouter, MatrixId::kDense},
                                    m_weights.W_shared_router,
                                    mlp_in,
                                    {},
                                    {}},
                                   hooks);
  down.push_back(use(view,
                     {MatrixId::kShared,
                      m_weights.shared,
                      mlp_in,
                      {},
                      view.arithmetic.round(sharedGate(gate)).select(1, 0)},
                     hooks));
}

Tensor FeedForward::sum(const BlockView& view, const std::vector<DownProduct>& down,
                        std::int64_t rows, BlockHooks& hooks) const {
  Tensor y = down.front().output;
  if (m_layerSpec.moe) {
    y = at::zeros({rows, m_spec.width}, y.options());
    for (const DownProduct& product : down) {
      const Tensor weighed = product.output * product.gates.unsqueeze(1);
      if (product.rows.empty())
        y.add_(weighed);
      else
        y.index_add_(0, at::tensor(product.rows, at::kLong).to(y.device()), weighed);
    }
  }
  const Tensor& own = down.front().linear.bias;
  if (!own.defined()) return y;
  Tensor bias = own.expand({rows, m_spec.width});
  hooks.hookOutBias(view, bias);
  return y + bias;
}

}  // namespace equipatch

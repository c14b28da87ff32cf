#include "core/model/feed_forward.h"

#include <optional>
#include <utility>

#include "core/kernel/library_threads.h"
#include "core/kernel/self_gate.h"
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
    onLibraryThreads(x.numel(), kNumbersWorthAThread, [&](auto begin, auto end) {
      const auto count = static_cast<std::size_t>(end - begin);
      selfGate(gate, {from + begin, count}, {to + begin, count});
    });
  });
}

/// f of each number. libtorch computes a tensor's last few numbers by other instructions
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

/// W z + b of a first matrix after the policy had its say, rounded.
Tensor firstProduct(const BlockView& view, Product product, BlockPolicy& policy) {
  product.output = view.arithmetic.product(product.input, product.linear);
  policy.atFirstProduct(view, product);
  view.arithmetic.roundInPlace(product.output);
  return product.output;
}

}  // namespace

/// One feed-forward and the rows that use it.
struct FeedForward::Use {
  std::int64_t expert = MatrixId::kDense;
  const FeedForwardWeights& weights;
  Tensor z;                        ///< of those rows
  std::vector<std::int64_t> rows;  ///< empty: all of the batch
  Tensor gates;
};

FeedForward::FeedForward(const ModelSpec& spec, LayerIndex layer,
                         const LayerWeights& weights)
    : m_spec(spec),
      m_layerSpec(spec.layers.at(static_cast<std::size_t>(layer.value))),
      m_weights(weights) {}

LastProduct FeedForward::use(const BlockView& view, const Use& use,
                             BlockPolicy& policy) const {
  const auto first = [&](MatrixRole role, const Linear& linear) {
    return firstProduct(view, {{role, use.expert}, linear, use.z, {}, use.rows}, policy);
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

std::vector<LastProduct> FeedForward::products(const BlockView& view, const Tensor& z,
                                               BlockPolicy& policy) const {
  std::vector<LastProduct> last;
  if (m_layerSpec.mixture)
    addExperts(view, z, policy, last);
  else
    last.push_back(use(view, {MatrixId::kDense, m_weights.mlp, z, {}, Tensor()}, policy));
  return last;
}

void FeedForward::addExperts(const BlockView& view, const Tensor& z, BlockPolicy& policy,
                             std::vector<LastProduct>& last) const {
  const Tensor scores =
      firstProduct(view, {{MatrixRole::Router}, m_weights.W_router, z, {}, {}}, policy);
  for (ExpertShare& share : route(scores, *m_spec.mixture, view.arithmetic)) {
    const Tensor index = at::tensor(share.rows, at::kLong).to(z.device());
    const auto& weights = m_weights.experts[static_cast<std::size_t>(share.expert)];
    last.push_back(use(view,
                       {share.expert, weights, z.index_select(0, index),
                        std::move(share.rows), share.gates},
                       policy));
  }
  if (m_spec.mixture->sharedWidth == 0) return;
  const Tensor gate = firstProduct(view,
                                   {{MatrixRole::SharedRouter, MatrixId::kDense},
                                    m_weights.W_shared_router,
                                    z,
                                    {},
                                    {}},
                                   policy);
  last.push_back(use(view,
                     {MatrixId::kShared,
                      m_weights.shared,
                      z,
                      {},
                      view.arithmetic.round(sharedGate(gate)).select(1, 0)},
                     policy));
}

Tensor FeedForward::sum(const BlockView& view, const std::vector<LastProduct>& last,
                        std::int64_t rows, BlockPolicy& policy) const {
  Tensor y = last.front().output;
  if (m_layerSpec.mixture) {
    y = at::zeros({rows, m_spec.width}, y.options());
    for (const LastProduct& product : last) {
      const Tensor weighed = product.output * product.gates.unsqueeze(1);
      if (product.rows.empty())
        y.add_(weighed);
      else
        y.index_add_(0, at::tensor(product.rows, at::kLong).to(y.device()), weighed);
    }
  }
  const Tensor& own = last.front().linear.bias;
  if (!own.defined()) return y;
  Tensor bias = own.expand({rows, m_spec.width});
  policy.atOuterBias(view, bias);
  return y + bias;
}

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/model/random_block.h"

#include <string>

namespace equipatch::test {
namespace {

class RandomWeights {
 public:
  RandomWeights(const ModelSpec& spec, const Arithmetic& arithmetic)
      : m_spec(spec), m_arithmetic(arithmetic) {}

  LayerWeights layer() const {
    const LayerSpec& own = m_spec.layers[0];
    const std::int64_t width = m_spec.width, headDim = m_spec.headDimOf(own);
    const std::int64_t queries = m_spec.heads * headDim;
    const std::int64_t keys = m_spec.kvHeadsOf(own) * headDim;
    const bool moe = m_spec.layers[0].moe;
    const bool qkv = m_spec.queryKeyValueBias;
    const bool readsAttention = m_spec.mlpInput == MlpInput::AttentionInput;
    LayerWeights layer{
        .attn_norm = norm("attn_norm", {width}, m_spec.attentionPreNorm),
        .W_q = linear("W_q", queries, width, qkv),
        .W_k = linear("W_k", keys, width, qkv),
        .W_v = own.valueIsKey ? Linear{} : linear("W_v", keys, width, qkv),
        .W_o = linear("W_o", width, own.recurrent ? m_spec.deltaNet->values() : queries,
                      m_spec.attentionOutBias),
        .W_attn_gate =
            m_spec.attentionGate ? linear("W_attn_gate", queries, width, qkv) : Linear{},
        .delta = own.recurrent ? randomDeltaNet(m_spec, m_arithmetic) : DeltaNetWeights{},
        .sinks = m_spec.attentionSinks
                     ? randomTensor("sinks", {m_spec.heads}, m_arithmetic, 1.0)
                     : Tensor(),
        .q_norm = headNorm("q_norm", m_spec.heads),
        .k_norm = headNorm("k_norm", m_spec.kvHeadsOf(own)),
        .attn_post_norm = norm("attn_post_norm", {width}, m_spec.attentionPostNorm),
        .mlp_norm = norm("mlp_norm", {width}, m_spec.mlpPreNorm && !readsAttention),
        .mlp_post_norm = norm("mlp_post_norm", {width}, m_spec.mlpPostNorm),
        .experts_norm = norm("experts_norm", {width}, m_spec.hasDenseBeside()),
        .dense_post_norm = norm("dense_post_norm", {width}, m_spec.hasDenseBeside()),
        .experts_post_norm = norm("experts_post_norm", {width}, m_spec.hasDenseBeside()),
        .router_scale = m_spec.hasDenseBeside() ? scale("router_scale", width) : Tensor(),
        .expert_scale = m_spec.hasDenseBeside()
                            ? scale("expert_scale", m_spec.moe->experts)
                            : Tensor(),
        .mlp = {},
        .W_per_layer_gate = perLayer("W_per_layer_gate", m_spec.perLayerWidth, width),
        .W_per_layer_out = perLayer("W_per_layer_out", width, m_spec.perLayerWidth),
        .per_layer_post_norm =
            norm("per_layer_post_norm", {width}, m_spec.perLayerWidth > 0),
        .layer_scalar = m_spec.layerScalar ? scale("layer_scalar", 1) : Tensor(),
        .W_router = {},
        .experts = {},
        .W_shared_router = {},
        .shared = {}};
    if (moe) addExperts(layer);
    if (!moe || m_spec.hasDenseBeside())
      layer.mlp = feedForward("", m_spec.mlpWidth, m_spec.mlpBias);
    return layer;
  }

 private:
  NormWeights norm(const std::string& name, std::vector<std::int64_t> shape,
                   bool present) const {
    if (!present) return {};
    const auto random = [&](const std::string& of) {
      return randomTensor(of.c_str(), shape, m_arithmetic, 0.25);
    };
    return {.m = 1.0 + random(name),
            .bias = m_spec.norm.bias ? random(name + ".bias") : Tensor()};
  }

  Tensor scale(const char* name, std::int64_t size) const {
    return 1.0 + randomTensor(name, {size}, m_arithmetic, 0.4);
  }

  Linear perLayer(const char* name, std::int64_t outputs, std::int64_t inputs) const {
    return m_spec.perLayerWidth > 0 ? linear(name, outputs, inputs, false) : Linear{};
  }

  NormWeights headNorm(const std::string& name, std::int64_t heads) const {
    const std::int64_t headDim = m_spec.headDimOf(m_spec.layers[0]);
    switch (m_spec.queryKeyNorm) {
      case QueryKeyNorm::PerHead:
        return norm(name, {headDim}, true);
      case QueryKeyNorm::OwnPerHead:
        return norm(name, {heads, headDim}, true);
      case QueryKeyNorm::WholeWidth:
        return norm(name, {heads * headDim}, true);
      case QueryKeyNorm::None:
        break;
    }
    return {};
  }

  Linear linear(const std::string& name, std::int64_t outputs, std::int64_t inputs,
                bool biased) const {
    return randomLinear(name.c_str(), outputs, inputs, m_arithmetic,
                        biased ? Bias::With : Bias::Without);
  }

  FeedForwardWeights feedForward(const std::string& where, std::int64_t hidden,
                                 bool biased) const {
    const auto in = [&](const char* name) {
      return linear(where + name, hidden, m_spec.width, biased);
    };
    FeedForwardWeights weights;
    if (m_spec.mlpForm == MlpForm::Gated) {
      weights.W_gate = in("W_gate");
      weights.W_up = in("W_up");
    } else {
      weights.W_in = in("W_in");
    }
    weights.W_down = linear(where + "W_down", m_spec.width, hidden, biased);
    return weights;
  }

  void addExperts(LayerWeights& layer) const {
    const MoeSpec& moe = *m_spec.moe;
    layer.W_router = linear("W_router", moe.experts, m_spec.width, moe.bias);
    for (std::int64_t expert = 0; expert < moe.experts; ++expert)
      layer.experts.push_back(feedForward("experts." + std::to_string(expert) + ".",
                                          moe.expertWidth, moe.bias));
    if (moe.sharedWidth == 0) return;
    layer.W_shared_router = linear("W_shared_router", 1, m_spec.width, false);
    layer.shared = feedForward("shared.", moe.sharedWidth, false);
  }

  const ModelSpec& m_spec;
  const Arithmetic& m_arithmetic;
};

}  // namespace

ModelSpec smallSpec() {
  ModelSpec spec;
  spec.width = 22;
  spec.mlpWidth = 37;
  spec.heads = 6;
  spec.kvHeads = 2;
  spec.headDim = 10;
  spec.norm.eps = 1e-3;  // so large that ignoring it fails a test
  LayerSpec layer;
  layer.rope = RopeSpec{.dims = spec.headDim};
  layer.attentionScale = 0.29;
  spec.layers = {layer};
  return spec;
}

DeltaNetWeights randomDeltaNet(const ModelSpec& spec, const Arithmetic& a) {
  const DeltaNetSpec& delta = *spec.deltaNet;
  const auto linear = [&](const char* name, std::int64_t outputs) {
    return randomLinear(name, outputs, spec.width, a, Bias::Without);
  };
  return {.W_in = linear("W_in", delta.channels()),
          .W_z = linear("W_z", delta.values()),
          .W_b = linear("W_b", delta.valueHeads),
          .W_a = linear("W_a", delta.valueHeads),
          .conv = randomTensor("conv", {delta.kernel, delta.channels()}, a, 0.6),
          .decay = -at::exp(randomTensor("A_log", {delta.valueHeads}, a, 0.5)),
          .dt_bias = randomTensor("dt_bias", {delta.valueHeads}, a, 0.5),
          .norm = randomTensor("norm", {delta.valueDim}, a, 0.5)};
}

Tensor perLayerRows(const ModelSpec& spec, std::int64_t rows) {
  if (spec.perLayerWidth == 0) return {};
  return randomTensor("perLayer", {1, 1, spec.perLayerWidth},
                      Arithmetic(DType::F64, at::kCPU))
      .repeat({rows, 1, 1});
}

LayerWeights randomWeights(const ModelSpec& spec, const Arithmetic& arithmetic) {
  return RandomWeights(spec, arithmetic).layer();
}

}  // namespace equipatch::test

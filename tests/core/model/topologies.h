// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "tests/core/model/random_block.h"

namespace equipatch::test {

struct NamedSpec {
  const char* name;
  ModelSpec spec;
};

/// Variants of smallSpec(), a gated pre-norm block.
inline std::vector<NamedSpec> topologies() {
  std::vector<NamedSpec> all;
  const auto add = [&](const char* name, const auto& change) {
    all.push_back({name, smallSpec()});
    change(all.back().spec);
  };
  add("layer norms with biases", [](ModelSpec& spec) {
    spec.norm = {.kind = NormKind::Layer, .eps = 1e-3, .bias = true};
    spec.norm.scaleBeforeRounding = true;
  });
  add("an MLP without a gate, with biases", [](ModelSpec& spec) {
    spec.mlpForm = MlpForm::Plain;
    spec.mlpBias = true;
  });
  add("parallel, one norm",
      [](ModelSpec& spec) { spec.mlpInput = MlpInput::AttentionInput; });
  add("parallel, two norms", [](ModelSpec& spec) { spec.mlpInput = MlpInput::ResidPre; });
  add("post-norms only", [](ModelSpec& spec) {
    spec.attentionPreNorm = spec.mlpPreNorm = false;
    spec.attentionPostNorm = spec.mlpPostNorm = true;
  });
  add("norms of the sums, as in Vaswani et al.", [](ModelSpec& spec) {
    spec.norm = {.kind = NormKind::Layer, .eps = 1e-3, .bias = true};
    spec.norm.scaleBeforeRounding = true;
    spec.attentionPreNorm = spec.mlpPreNorm = false;
    spec.attentionPostNorm = spec.mlpPostNorm = true;
    spec.postNormPlace = PostNormPlace::Sum;
    spec.mlpForm = MlpForm::Plain;
    spec.mlpBias = true;
  });
  add("norms of the sums, no bias after the down projection", [](ModelSpec& spec) {
    spec.attentionPreNorm = spec.mlpPreNorm = false;
    spec.attentionPostNorm = spec.mlpPostNorm = true;
    spec.postNormPlace = PostNormPlace::Sum;
  });
  add("layer norms with biases, also after the MLP", [](ModelSpec& spec) {
    spec.norm = {.kind = NormKind::Layer, .eps = 1e-3, .bias = true};
    spec.norm.scaleBeforeRounding = true;
    spec.mlpPostNorm = true;
  });
  add("query and key norms over all heads",
      [](ModelSpec& spec) { spec.queryKeyNorm = QueryKeyNorm::WholeWidth; });
  add("query and key norms with a scale per head",
      [](ModelSpec& spec) { spec.queryKeyNorm = QueryKeyNorm::OwnPerHead; });
  add("partial rotation", [](ModelSpec& spec) { spec.layers[0].rope->dims = 4; });
  add("no rotation", [](ModelSpec& spec) { spec.layers[0].rope.reset(); });
  add("residual multiplier", [](ModelSpec& spec) { spec.residualScale = 0.22; });
  add("relu", [](ModelSpec& spec) { spec.activation = Activation::Relu; });
  add("quick gelu", [](ModelSpec& spec) { spec.activation = Activation::QuickGelu; });
  add("MoE", [](ModelSpec& spec) {
    spec.moe = MoeSpec{.experts = 5, .active = 2, .expertWidth = 13};
    spec.layers[0].moe = true;
  });
  add("MoE whose gates are not normalised, and a shared expert", [](ModelSpec& spec) {
    spec.moe = MoeSpec{.experts = 4, .active = 3, .expertWidth = 9};
    spec.moe->normaliseGates = false;
    spec.moe->sharedWidth = 17;
    spec.layers[0].moe = true;
  });
  add("values from the key projection, in heads of another size", [](ModelSpec& spec) {
    spec.valueNorm = spec.layers[0].valueIsKey = true;
    spec.queryKeyNorm = QueryKeyNorm::PerHead;
    spec.layers[0].headDim = 8;
    spec.layers[0].kvHeads = 3;
    spec.layers[0].rope->dims = 8;
  });
  add("per-layer embeddings and a scalar behind post-norms", [](ModelSpec& spec) {
    spec.attentionPostNorm = spec.mlpPostNorm = spec.layerScalar = true;
    spec.perLayerWidth = 5;
    spec.activation = Activation::GeluTanh;
  });
  add("MoE with biases and clamped gates, behind attention with sinks",
      [](ModelSpec& spec) {
        spec.moe = MoeSpec{.experts = 5, .active = 2, .expertWidth = 13, .bias = true};
        spec.layers[0].moe = true;
        spec.activation = Activation::QuickGelu;
        spec.gateLimit = 0.7;
        spec.attentionSinks = true;
      });
  add("attention with an output gate", [](ModelSpec& spec) {
    spec.attentionGate = true;
    spec.queryKeyNorm = QueryKeyNorm::PerHead;
  });
  const DeltaNetSpec delta{
      .keyHeads = 2, .valueHeads = 6, .keyDim = 5, .valueDim = 7, .kernel = 4};
  add("Gated DeltaNet", [&](ModelSpec& spec) {
    spec.deltaNet = delta;
    spec.layers[0].recurrent = true;
    spec.layers[0].rope.reset();
  });
  add("Gated DeltaNet before a MoE with a shared expert", [&](ModelSpec& spec) {
    spec.deltaNet = delta;
    spec.layers[0].recurrent = true;
    spec.layers[0].rope.reset();
    spec.moe = MoeSpec{.experts = 5, .active = 2, .expertWidth = 13, .sharedWidth = 11};
    spec.layers[0].moe = true;
  });
  add("MoE beside a dense MLP", [](ModelSpec& spec) {
    spec.moe = MoeSpec{.experts = 5, .active = 2, .expertWidth = 13};
    spec.moe->besideDense = true;
    spec.layers[0].moe = true;
    spec.attentionPostNorm = spec.mlpPostNorm = spec.layerScalar = true;
    spec.norm.scaleBeforeRounding = true;
    spec.activation = Activation::GeluTanh;
  });
  add("MoE between post-norms", [](ModelSpec& spec) {
    spec.moe = MoeSpec{.experts = 3, .active = 1, .expertWidth = 9};
    spec.layers[0].moe = true;
    spec.attentionPostNorm = spec.mlpPostNorm = true;
  });
  return all;
}

}  // namespace equipatch::test

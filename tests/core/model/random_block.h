#pragma once

#include "core/checkpoint/spec.h"
#include "core/model/weights.h"
#include "tests/core/model/eigen_tensor.h"

namespace equipatch::test {

/// A model of one layer that is small, and of which nothing is a multiple of anything.
inline ModelSpec smallSpec() {
  ModelSpec spec;
  spec.width = 22;
  spec.mlpWidth = 37;
  spec.heads = 6;
  spec.kvHeads = 2;
  spec.headDim = 10;
  spec.attentionScale = 0.29;
  spec.norm.eps = 1e-3;  // large enough to be seen
  spec.layers = {LayerSpec{}};
  return spec;
}

/// Random weights of whatever the spec says a layer has.
inline LayerWeights randomWeights(const ModelSpec& spec, const Arithmetic& arithmetic) {
  const auto scale = [&](const char* name, std::int64_t size, bool present = true) {
    return present ? 1.0 + randomTensor(name, {size}, arithmetic, 0.25) : Tensor();
  };
  const auto linear = [&](const char* name, std::int64_t outputs, std::int64_t inputs,
                          bool biased) {
    const Bias bias = biased ? Bias::With : Bias::Without;
    return randomLinear(name, outputs, inputs, arithmetic, bias);
  };
  const std::int64_t width = spec.width, queries = spec.heads * spec.headDim;
  const std::int64_t keys = spec.kvHeads * spec.headDim;
  return {.attn_norm = scale("attn_norm", width),
          .W_q = linear("W_q", queries, width, spec.queryKeyValueBias),
          .W_k = linear("W_k", keys, width, spec.queryKeyValueBias),
          .W_v = linear("W_v", keys, width, spec.queryKeyValueBias),
          .W_o = linear("W_o", width, queries, spec.attentionOutBias),
          .q_norm = scale("q_norm", spec.headDim, spec.queryKeyNorm),
          .k_norm = scale("k_norm", spec.headDim, spec.queryKeyNorm),
          .attn_post_norm = scale("attn_post_norm", width, spec.attentionPostNorm),
          .mlp_norm = scale("mlp_norm", width),
          .W_gate = linear("W_gate", spec.mlpWidth, width, spec.mlpBias),
          .W_up = linear("W_up", spec.mlpWidth, width, spec.mlpBias),
          .W_down = linear("W_down", width, spec.mlpWidth, spec.mlpBias),
          .mlp_post_norm = scale("mlp_post_norm", width, spec.mlpPostNorm)};
}

}  // namespace equipatch::test

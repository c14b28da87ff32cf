// SPDX-License-Identifier: GPL-3.0-or-later
// Times attention at several positions: one layer of Gemma 3 1B's shape, with a context
// row alone and with two reduced rows, which see only themselves. Positions differ only
// in the number of cached keys and values.

#include <benchmark/benchmark.h>

#include "core/model/attention.h"

namespace {

using namespace equipatch;

ModelSpec gemmaAttention() {
  ModelSpec spec;
  spec.width = 1152;
  spec.heads = 4;
  spec.kvHeads = 1;
  spec.headDim = 256;
  spec.queryKeyNorm = QueryKeyNorm::PerHead;
  LayerSpec layer;
  layer.rope = RopeSpec{.dims = spec.headDim};
  layer.attentionScale = 0.0625;
  spec.layers = {layer};
  return spec;
}

LayerWeights randomWeights(const ModelSpec& spec, const Arithmetic& arithmetic) {
  const auto matrix = [&](std::int64_t outputs, std::int64_t inputs) {
    return Linear{.weight = at::randn({outputs, inputs}).to(arithmetic.weightType()),
                  .bias = {}};
  };
  const NormWeights norm{.m = at::ones({spec.headDim}), .bias = {}};
  LayerWeights weights;
  weights.W_q = matrix(spec.heads * spec.headDim, spec.width);
  weights.W_k = matrix(spec.kvHeads * spec.headDim, spec.width);
  weights.W_v = matrix(spec.kvHeads * spec.headDim, spec.width);
  weights.W_o = matrix(spec.width, spec.heads * spec.headDim);
  weights.q_norm = norm;
  weights.k_norm = norm;
  return weights;
}

void attention(benchmark::State& state, DType dtype) {
  const c10::InferenceMode inference;
  const std::int64_t position = state.range(0), reduced = state.range(1);
  setComputeThreads(1);
  const Arithmetic arithmetic(dtype, at::kCPU);
  const ModelSpec spec = gemmaAttention();
  const LayerWeights weights = randomWeights(spec, arithmetic);
  const Attention layer(spec, LayerIndex(0), weights, arithmetic);
  KvCache cache(spec, position + 1, arithmetic);
  const Tensor x = at::randn({1 + reduced, spec.width});
  const RowBatch batch{.contextRows = 1,
                       .reducedRows = reduced,
                       .firstPosition = position,
                       .cache = &cache};
  for (auto _ : state) benchmark::DoNotOptimize(layer.forward(x, batch, arithmetic));
}

const bool kModelRegistered = [] {
  for (const DType dtype : {DType::F32, DType::BF16})
    benchmark::RegisterBenchmark(
        ("attention/" + std::string(safetensorsName(dtype)) + "/position/reduced")
            .c_str(),
        [=](benchmark::State& state) { attention(state, dtype); })
        ->ArgsProduct({{64, 512, 4096, 16384}, {0, 2}})
        ->Unit(benchmark::kMicrosecond);
  return true;
}();

}  // namespace

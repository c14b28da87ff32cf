// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/network/parameter_layout.h"

#include <utility>

namespace equipatch {

ParameterLayout::ParameterLayout(const NetworkShape& shape) {
  m_embedding = {add("model.embed_tokens.weight", {shape.vocabulary, shape.width},
                     ParameterKind::Embedding),
                 shape.vocabulary, shape.width};
  for (std::int64_t i = 0; i < shape.layers; ++i)
    m_layers.push_back(addLayer(shape, "model.layers." + std::to_string(i) + "."));
  m_finalNorm = add("model.norm.weight", {shape.width}, ParameterKind::Scale);
}

std::int64_t ParameterLayout::add(std::string name, std::vector<std::int64_t> shape,
                                  ParameterKind kind) {
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) count *= extent;
  const std::int64_t offset = std::exchange(m_size, m_size + count);
  m_parameters.push_back({std::move(name), std::move(shape), kind, offset, count});
  return offset;
}

LayerRanges ParameterLayout::addLayer(const NetworkShape& shape,
                                      const std::string& prefix) {
  const auto matrix = [&](const char* name, std::int64_t rows, std::int64_t columns) {
    return MatrixRange{
        add(prefix + name + ".weight", {rows, columns}, ParameterKind::Matrix), rows,
        columns};
  };
  const auto scale = [&](const char* name, std::int64_t width) {
    return add(prefix + name + ".weight", {width}, ParameterKind::Scale);
  };
  LayerRanges layer;
  layer.inputNorm = scale("input_layernorm", shape.width);
  layer.queryKeyValue = matrix("self_attn.q_proj", shape.queryWidth(), shape.width);
  layer.queryKeyValue.rows +=
      matrix("self_attn.k_proj", shape.keyWidth(), shape.width).rows;
  layer.queryKeyValue.rows +=
      matrix("self_attn.v_proj", shape.keyWidth(), shape.width).rows;
  layer.queryNorm = scale("self_attn.q_norm", kHeadDim);
  layer.keyNorm = scale("self_attn.k_norm", kHeadDim);
  layer.output = matrix("self_attn.o_proj", shape.width, shape.queryWidth());
  layer.postAttentionNorm = scale("post_attention_layernorm", shape.width);
  layer.preMlpNorm = scale("pre_feedforward_layernorm", shape.width);
  layer.gateUp = matrix("mlp.gate_proj", shape.mlpWidth, shape.width);
  layer.gateUp.rows += matrix("mlp.up_proj", shape.mlpWidth, shape.width).rows;
  layer.down = matrix("mlp.down_proj", shape.width, shape.mlpWidth);
  layer.postMlpNorm = scale("post_feedforward_layernorm", shape.width);
  return layer;
}

}  // namespace equipatch

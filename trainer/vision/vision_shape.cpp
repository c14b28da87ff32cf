// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/vision/vision_shape.h"

#include <cmath>

#include "core/base/random.h"

namespace equipatch {

VisionLayout::VisionLayout(const VisionShape& shape) {
  addTower(shape);
  addText(shape.text);
}

/// @param rows the first dimension of each parameter
/// @param rest the other dimensions, the same for all
Joined VisionLayout::add(const std::vector<std::string>& names,
                         std::vector<std::int64_t> rows, std::vector<std::int64_t> rest,
                         ParameterKind kind) {
  Joined joined{.offset = m_size, .shape = rest};
  std::int64_t allRows = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::vector<std::int64_t> shape = rest;
    shape.insert(shape.begin(), rows[i]);
    std::int64_t count = 1;
    for (const std::int64_t extent : shape) count *= extent;
    m_parameters.push_back({names[i], std::move(shape), kind, m_size, count});
    m_size += count;
    allRows += rows[i];
  }
  joined.shape.insert(joined.shape.begin(), allRows);
  return joined;
}

void VisionLayout::addTower(const VisionShape& shape) {
  const std::int64_t V = shape.width, I = shape.mlpWidth;
  const std::string model = "vision_tower.vision_model.";
  const auto matrix = [&](const std::string& name, std::int64_t rows,
                          std::vector<std::int64_t> rest) {
    return add({name}, {rows}, std::move(rest), ParameterKind::Matrix);
  };
  const auto scale = [&](const std::string& name, std::int64_t width) {
    return add({name}, {width}, {}, ParameterKind::Scale);
  };
  const std::string embeddings = model + "embeddings.";
  patch = matrix(embeddings + "patch_embedding.weight", V, {3, shape.patch, shape.patch});
  patchBias = scale(embeddings + "patch_embedding.bias", V);
  positions = add({embeddings + "position_embedding.weight"}, {shape.patches()}, {V},
                  ParameterKind::Embedding);
  for (std::int64_t i = 0; i < shape.layers; ++i) {
    const std::string layer = model + "encoder.layers." + std::to_string(i) + ".";
    const std::string attention = layer + "self_attn.";
    TowerLayer ranges;
    ranges.norm1 = scale(layer + "layer_norm1.weight", V);
    ranges.norm1Bias = scale(layer + "layer_norm1.bias", V);
    ranges.queryKeyValue = add({attention + "q_proj.weight", attention + "k_proj.weight",
                                attention + "v_proj.weight"},
                               {V, V, V}, {V}, ParameterKind::Matrix);
    ranges.queryKeyValueBias = add(
        {attention + "q_proj.bias", attention + "k_proj.bias", attention + "v_proj.bias"},
        {V, V, V}, {}, ParameterKind::Scale);
    ranges.output = matrix(attention + "out_proj.weight", V, {V});
    ranges.outputBias = scale(attention + "out_proj.bias", V);
    ranges.norm2 = scale(layer + "layer_norm2.weight", V);
    ranges.norm2Bias = scale(layer + "layer_norm2.bias", V);
    ranges.up = matrix(layer + "mlp.fc1.weight", I, {V});
    ranges.upBias = scale(layer + "mlp.fc1.bias", I);
    ranges.down = matrix(layer + "mlp.fc2.weight", V, {I});
    ranges.downBias = scale(layer + "mlp.fc2.bias", V);
    tower.push_back(std::move(ranges));
  }
  towerNorm = scale(model + "post_layernorm.weight", V);
  towerNormBias = scale(model + "post_layernorm.bias", V);
  pooledNorm = scale("multi_modal_projector.mm_soft_emb_norm.weight", V);
  projector =
      matrix("multi_modal_projector.mm_input_projection_weight", V, {shape.text.width});
}

void VisionLayout::addText(const NetworkShape& shape) {
  const std::string model = "language_model.model.";
  embedding = add({model + "embed_tokens.weight"}, {shape.vocabulary}, {shape.width},
                  ParameterKind::Embedding);
  for (std::int64_t i = 0; i < shape.layers; ++i) {
    const std::string layer = model + "layers." + std::to_string(i) + ".";
    const std::string attention = layer + "self_attn.";
    const auto matrix = [&](const std::vector<std::string>& names,
                            std::vector<std::int64_t> rows, std::int64_t columns) {
      return add(names, std::move(rows), {columns}, ParameterKind::Matrix);
    };
    const auto scale = [&](const std::string& name, std::int64_t width) {
      return add({name + ".weight"}, {width}, {}, ParameterKind::Scale);
    };
    TextLayer ranges;
    ranges.inputNorm = scale(layer + "input_layernorm", shape.width);
    ranges.queryKeyValue =
        matrix({attention + "q_proj.weight", attention + "k_proj.weight",
                attention + "v_proj.weight"},
               {shape.queryWidth(), shape.keyWidth(), shape.keyWidth()}, shape.width);
    ranges.queryNorm = scale(attention + "q_norm", kHeadDim);
    ranges.keyNorm = scale(attention + "k_norm", kHeadDim);
    ranges.output =
        matrix({attention + "o_proj.weight"}, {shape.width}, shape.queryWidth());
    ranges.postAttentionNorm = scale(layer + "post_attention_layernorm", shape.width);
    ranges.preMlpNorm = scale(layer + "pre_feedforward_layernorm", shape.width);
    ranges.gateUp = matrix({layer + "mlp.gate_proj.weight", layer + "mlp.up_proj.weight"},
                           {shape.mlpWidth, shape.mlpWidth}, shape.width);
    ranges.down = matrix({layer + "mlp.down_proj.weight"}, {shape.width}, shape.mlpWidth);
    ranges.postMlpNorm = scale(layer + "post_feedforward_layernorm", shape.width);
    text.push_back(std::move(ranges));
  }
  finalNorm = add({model + "norm.weight"}, {shape.width}, {}, ParameterKind::Scale);
}

namespace {

bool endsWith(const Parameter& parameter, std::string_view end) {
  return parameter.name.ends_with(end);
}

/// Mean and standard deviation of a parameter's initial values.
std::pair<double, double> startOf(const Parameter& parameter, const VisionShape& shape) {
  const double towerShare = 1 / std::sqrt(2.0 * static_cast<double>(shape.layers));
  const double textShare = 1 / std::sqrt(2.0 * static_cast<double>(shape.text.layers));
  if (parameter.kind == ParameterKind::Scale) {
    const bool isLayerNorm = endsWith(parameter, "layer_norm1.weight") ||
                             endsWith(parameter, "layer_norm2.weight") ||
                             endsWith(parameter, "post_layernorm.weight");
    if (isLayerNorm) return {1, 0};
    const bool endsTextBlock = endsWith(parameter, "post_attention_layernorm.weight") ||
                               endsWith(parameter, "post_feedforward_layernorm.weight");
    return {endsTextBlock ? textShare - 1 : 0, 0};
  }
  constexpr double kPositions = 0.5;
  if (endsWith(parameter, "position_embedding.weight")) return {0, kPositions};
  const bool isTransposed = endsWith(parameter, "mm_input_projection_weight");
  const std::int64_t inputs =
      isTransposed ? parameter.shape.front() : parameter.count / parameter.shape.front();
  const double deviation = 1 / std::sqrt(static_cast<double>(inputs));
  const bool endsTowerBlock =
      endsWith(parameter, "out_proj.weight") || endsWith(parameter, "fc2.weight");
  return {0, endsTowerBlock ? towerShare * deviation : deviation};
}

}  // namespace

std::vector<float> initialParameters(const VisionShape& shape, std::uint64_t seed) {
  const VisionLayout layout(shape);
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(layout.size()));
  Random random(seed);
  for (const Parameter& parameter : layout.parameters()) {
    const auto [mean, deviation] = startOf(parameter, shape);
    for (std::int64_t i = 0; i < parameter.count; ++i)
      values.push_back(
          static_cast<float>(deviation > 0 ? mean + deviation * random.normal() : mean));
  }
  return values;
}

}  // namespace equipatch

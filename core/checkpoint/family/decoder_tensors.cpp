// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/family/decoder_tensors.h"

#include <utility>

namespace equipatch {

TensorList::TensorList(const ModelSpec& spec, std::string layerPrefix)
    : m_spec(spec), m_layerPrefix(std::move(layerPrefix)) {}

void TensorList::enterLayer(std::int64_t layer) {
  m_layer = layer;
}

void TensorList::leaveLayers() {
  m_layer = -1;
}

void TensorList::bind(TensorBinding binding) {
  if (m_layer >= 0) {
    binding.name = layerWeight(m_layer, binding.name);
    binding.checkpointName =
        m_layerPrefix + std::to_string(m_layer) + "." + binding.checkpointName;
    if (!binding.scalesName.empty())
      binding.scalesName =
          m_layerPrefix + std::to_string(m_layer) + "." + binding.scalesName;
  }
  m_tensors.push_back(std::move(binding));
}

void TensorList::add(const std::string& name, const std::string& stored,
                     std::vector<std::int64_t> shape) {
  bind({.name = name, .checkpointName = stored, .shape = std::move(shape)});
}

void TensorList::linear(const LinearTensor& tensor) {
  bind({.name = tensor.where + "W_" + tensor.what,
        .checkpointName = tensor.stored + tensor.weightSuffix,
        .shape = {tensor.outputs, tensor.inputs},
        .part = tensor.part,
        .scalesName = tensor.scalesSuffix ? tensor.stored + tensor.scalesSuffix : ""});
  if (!tensor.bias) return;
  TensorPart part = tensor.part;
  part.transposed = false;  // a vector cannot be transposed
  bind({.name = tensor.where + "b_" + tensor.what,
        .checkpointName = tensor.stored + tensor.biasSuffix,
        .shape = {tensor.outputs},
        .part = part});
}

void TensorList::norm(const std::string& name, const std::string& stored,
                      const std::vector<std::int64_t>& shape) {
  add(name, stored + ".weight", shape);
  if (m_spec.norm.bias) add(name + ".bias", stored + ".bias", shape);
}

void TensorList::head(const std::string& stored) {
  if (!m_spec.tiedHead)
    bind({.name = "head",
          .checkpointName = stored + ".weight",
          .shape = {m_spec.vocabulary, m_spec.width},
          .scope = TensorScope::Head});
  if (m_spec.headBias)
    bind({.name = "b_head",
          .checkpointName = stored + ".bias",
          .shape = {m_spec.vocabulary},
          .scope = TensorScope::Head});
}

namespace {

std::vector<std::int64_t> queryKeyNormShape(const ModelSpec& spec, std::int64_t heads,
                                            std::int64_t headDim) {
  switch (spec.queryKeyNorm) {
    case QueryKeyNorm::OwnPerHead:
      return {heads, headDim};
    case QueryKeyNorm::WholeWidth:
      return {heads * headDim};
    case QueryKeyNorm::None:
    case QueryKeyNorm::PerHead:
      break;
  }
  return {headDim};
}

struct HeadNorm {
  const char* name;
  std::string stored;
  std::int64_t heads;
  std::int64_t headDim;
};

void addHeadNorm(const ModelSpec& spec, const HeadNorm& norm, TensorList& tensors) {
  if (spec.queryKeyNorm == QueryKeyNorm::None) return;
  if (!norm.stored.ends_with('.'))
    return tensors.norm(norm.name, norm.stored,
                        queryKeyNormShape(spec, norm.heads, norm.headDim));
  for (std::int64_t head = 0; head < norm.heads; ++head) {
    const std::string number = std::to_string(head);
    tensors.add(norm.name + ("." + number), norm.stored + number + ".weight",
                {norm.headDim});
  }
}

void addAttention(const ModelSpec& spec, const LayerSpec& layer,
                  const DecoderNames& names, TensorList& tensors) {
  const std::int64_t headDim = spec.headDimOf(layer), kvHeads = spec.kvHeadsOf(layer);
  const auto projection = [&](const char* what, std::int64_t first, std::int64_t heads) {
    const bool fused = !names.queryKeyValue.empty();
    TensorPart part;
    if (fused) part = {.parts = spec.heads + 2 * kvHeads, .index = first, .span = heads};
    // For each head, q_proj holds the query's rows and then the gate's rows.
    if (spec.attentionGate && *what == 'q') part = {.groups = heads, .parts = 2};
    tensors.linear({.what = what,
                    .stored = fused ? names.queryKeyValue
                                    : std::string("self_attn.") + what + "_proj",
                    .outputs = heads * headDim,
                    .inputs = spec.width,
                    .bias = spec.queryKeyValueBias,
                    .part = part});
  };
  projection("q", 0, spec.heads);
  if (spec.attentionGate)
    tensors.linear({.what = "attn_gate",
                    .stored = "self_attn.q_proj",
                    .outputs = spec.heads * headDim,
                    .inputs = spec.width,
                    .bias = spec.queryKeyValueBias,
                    .part = {.groups = spec.heads, .parts = 2, .index = 1}});
  if (!layer.keysOf) projection("k", spec.heads, kvHeads);
  if (!layer.keysOf && !layer.valueIsKey) projection("v", spec.heads + kvHeads, kvHeads);
  tensors.linear({.what = "o",
                  .stored = names.attentionOut,
                  .outputs = spec.width,
                  .inputs = spec.heads * headDim,
                  .bias = spec.attentionOutBias});
  if (spec.attentionSinks) tensors.add("sinks", "self_attn.sinks", {spec.heads});
  addHeadNorm(spec, {"q_norm", names.queryNorm, spec.heads, headDim}, tensors);
  if (!layer.keysOf)
    addHeadNorm(spec, {"k_norm", names.keyNorm, kvHeads, headDim}, tensors);
}

void addDeltaNet(const ModelSpec& spec, TensorList& tensors) {
  const DeltaNetSpec& delta = *spec.deltaNet;
  const std::string where = "linear_attn.";
  const auto projection = [&](const char* what, const char* stored,
                              std::int64_t outputs) {
    tensors.linear({.what = what,
                    .stored = where + stored,
                    .outputs = outputs,
                    .inputs = spec.width});
  };
  projection("delta_in", "in_proj_qkv", delta.channels());
  projection("delta_z", "in_proj_z", delta.values());
  projection("delta_b", "in_proj_b", delta.valueHeads);
  projection("delta_a", "in_proj_a", delta.valueHeads);
  tensors.linear({.what = "o",
                  .stored = where + "out_proj",
                  .outputs = spec.width,
                  .inputs = delta.values()});
  tensors.add("delta_conv", where + "conv1d.weight", {delta.channels(), 1, delta.kernel});
  tensors.add("delta_A_log", where + "A_log", {delta.valueHeads});
  tensors.add("delta_dt_bias", where + "dt_bias", {delta.valueHeads});
  tensors.add("delta_norm", where + "norm.weight", {delta.valueDim});
}

void addFeedForward(const ModelSpec& spec, const LayerSpec& layer,
                    const DecoderNames& names, TensorList& tensors) {
  const std::int64_t inside = spec.mlpWidthOf(layer);
  const auto widening = [&](const char* what, const std::string& stored,
                            TensorPart part = {}) {
    tensors.linear({.what = what,
                    .stored = stored,
                    .outputs = inside,
                    .inputs = spec.width,
                    .bias = spec.mlpBias,
                    .part = part});
  };
  if (spec.mlpForm == MlpForm::Plain) {
    widening("in", names.in);
  } else if (!names.gateUp.empty()) {
    widening("gate", names.gateUp, {.parts = 2, .index = 0});
    widening("up", names.gateUp, {.parts = 2, .index = 1});
  } else {
    widening("gate", "mlp.gate_proj");
    widening("up", "mlp.up_proj");
  }
  tensors.linear({.what = "down",
                  .stored = names.down,
                  .outputs = spec.width,
                  .inputs = inside,
                  .bias = spec.mlpBias});
}

/// Adds one expert's slices of the tensors that hold all experts (see ExpertLayout).
void addExpertSlices(const ModelSpec& spec, const MoeNames& names, std::int64_t expert,
                     TensorList& tensors) {
  const MoeSpec& moe = *spec.moe;
  const bool packed = names.layout == ExpertLayout::PackedPairs;
  const bool halves = names.layout == ExpertLayout::Halves;
  const auto add = [&](const char* what, const std::string& stored, std::int64_t outputs,
                       std::int64_t inputs, TensorPart part) {
    part.transposed = !packed && !halves;
    part.slices = moe.experts;
    part.slice = expert;
    tensors.linear({.where = "experts." + std::to_string(expert) + ".",
                    .what = what,
                    .stored = names.experts + stored,
                    .outputs = outputs,
                    .inputs = inputs,
                    .bias = moe.bias,
                    .part = part,
                    .weightSuffix = packed ? "_blocks" : "",
                    .biasSuffix = "_bias",
                    .scalesSuffix = packed ? "_scales" : nullptr});
  };
  const std::int64_t width = moe.expertWidth;
  const std::int64_t groups = halves ? 1 : width;
  add("gate", "gate_up_proj", width, spec.width, {.groups = groups, .parts = 2});
  add("up", "gate_up_proj", width, spec.width,
      {.groups = groups, .parts = 2, .index = 1});
  add("down", names.down, spec.width, width, {});
}

void addMoe(const ModelSpec& spec, const MoeNames& names, TensorList& tensors) {
  const MoeSpec& moe = *spec.moe;
  const auto router = [&](const char* what, const std::string& stored,
                          std::int64_t outputs) {
    tensors.linear({.what = what,
                    .stored = stored,
                    .outputs = outputs,
                    .inputs = spec.width,
                    .bias = moe.bias});
  };
  const auto expert = [&](const std::string& where, const std::string& stored,
                          std::int64_t width) {
    const auto widening = [&](const char* what, const std::string& name) {
      tensors.linear({.where = where,
                      .what = what,
                      .stored = stored + name,
                      .outputs = width,
                      .inputs = spec.width,
                      .bias = moe.bias});
    };
    widening("gate", names.gate);
    widening("up", names.up);
    tensors.linear({.where = where,
                    .what = "down",
                    .stored = stored + names.down,
                    .outputs = spec.width,
                    .inputs = width,
                    .bias = moe.bias});
  };
  router("router", names.router, moe.experts);
  for (std::int64_t index = 0; index < moe.experts; ++index) {
    if (names.layout != ExpertLayout::Single) {
      addExpertSlices(spec, names, index, tensors);
      continue;
    }
    const std::string number = std::to_string(index) + ".";
    expert("experts." + number, names.experts + number, moe.expertWidth);
  }
  if (moe.sharedWidth == 0) return;
  router("shared_router", names.sharedRouter, 1);
  expert("shared.", names.shared, moe.sharedWidth);
}

/// Adds the norms and scales of a layer whose experts run beside a dense MLP.
void addBeside(const ModelSpec& spec, const MoeNames& names, TensorList& tensors) {
  const std::vector<std::int64_t> width{spec.width};
  tensors.norm("experts_norm", names.expertsNorm, width);
  tensors.norm("dense_post_norm", names.densePostNorm, width);
  tensors.norm("experts_post_norm", names.expertsPostNorm, width);
  tensors.add("router_scale", names.routerScale, width);
  tensors.add("expert_scale", names.expertScale, {spec.moe->experts});
}

void addAfterMlp(const ModelSpec& spec, TensorList& tensors) {
  if (spec.layerScalar) tensors.add("layer_scalar", "layer_scalar", {1});
  if (spec.perLayerWidth == 0) return;
  tensors.linear({.what = "per_layer_gate",
                  .stored = "per_layer_input_gate",
                  .outputs = spec.perLayerWidth,
                  .inputs = spec.width});
  tensors.linear({.what = "per_layer_out",
                  .stored = "per_layer_projection",
                  .outputs = spec.width,
                  .inputs = spec.perLayerWidth});
  tensors.norm("per_layer_post_norm", "post_per_layer_input_norm", {spec.width});
}

void addLayer(const ModelSpec& spec, const DecoderNames& names, TensorList& tensors,
              const LayerSpec& layer) {
  const std::vector<std::int64_t> width{spec.width};
  if (spec.attentionPreNorm) tensors.norm("attn_norm", names.attentionNorm, width);
  if (layer.recurrent)
    addDeltaNet(spec, tensors);
  else
    addAttention(spec, layer, names, tensors);
  if (spec.attentionPostNorm)
    tensors.norm("attn_post_norm", names.attentionPostNorm, width);
  if (spec.mlpPreNorm && spec.mlpInput != MlpInput::AttentionInput)
    tensors.norm("mlp_norm", names.mlpNorm, width);
  const bool beside = layer.moe && spec.hasDenseBeside();
  if (layer.moe) addMoe(spec, names.moe, tensors);
  if (beside) addBeside(spec, names.moe, tensors);
  if (!layer.moe || beside) addFeedForward(spec, layer, names, tensors);
  if (spec.mlpPostNorm) tensors.norm("mlp_post_norm", names.mlpPostNorm, width);
  addAfterMlp(spec, tensors);
}

}  // namespace

std::vector<TensorBinding> decoderTensors(const ModelSpec& spec,
                                          const DecoderNames& names) {
  TensorList tensors(spec, "layers.");
  tensors.add("embed", "embed_tokens.weight", {spec.vocabulary, spec.width});
  for (std::int64_t index = 0; index < spec.layerCount(); ++index) {
    tensors.enterLayer(index);
    addLayer(spec, names, tensors, spec.layers[static_cast<std::size_t>(index)]);
  }
  tensors.leaveLayers();
  tensors.norm("final_norm", names.finalNorm, {spec.width});
  if (const std::int64_t all = spec.layerCount() * spec.perLayerWidth; all > 0) {
    tensors.add("per_layer_embed", "embed_tokens_per_layer.weight",
                {spec.vocabulary, all});
    tensors.linear({.what = "per_layer",
                    .stored = "per_layer_model_projection",
                    .outputs = all,
                    .inputs = spec.width});
    tensors.norm("per_layer_norm", "per_layer_projection_norm", {spec.perLayerWidth});
  }
  tensors.head("lm_head");
  return tensors.take();
}

std::vector<std::string> decoderIgnoredSuffixes(const ModelSpec& spec) {
  std::vector<std::string> suffixes{".rotary_emb.inv_freq"};
  if (spec.tiedHead) suffixes.emplace_back("lm_head.weight");
  return suffixes;
}

std::vector<NameScheme> decoderSchemes() {
  return {{.body = "model.", .head = ""}, {.body = "", .head = ""}};
}

}  // namespace equipatch

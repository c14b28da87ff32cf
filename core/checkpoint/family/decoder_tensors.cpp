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
        .part = tensor.part});
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

std::vector<std::int64_t> queryKeyNormShape(const ModelSpec& spec, std::int64_t heads) {
  switch (spec.queryKeyNorm) {
    case QueryKeyNorm::OwnPerHead:
      return {heads, spec.headDim};
    case QueryKeyNorm::WholeWidth:
      return {heads * spec.headDim};
    case QueryKeyNorm::None:
    case QueryKeyNorm::PerHead:
      break;
  }
  return {spec.headDim};
}

void addHeadNorm(const ModelSpec& spec, const std::string& name,
                 const std::string& stored, std::int64_t heads, TensorList& tensors) {
  if (spec.queryKeyNorm == QueryKeyNorm::None) return;
  if (!stored.ends_with('.'))
    return tensors.norm(name, stored, queryKeyNormShape(spec, heads));
  for (std::int64_t head = 0; head < heads; ++head) {
    const std::string number = std::to_string(head);
    tensors.add(name + "." + number, stored + number + ".weight", {spec.headDim});
  }
}

void addAttention(const ModelSpec& spec, const DecoderNames& names, TensorList& tensors) {
  const auto projection = [&](const char* what, std::int64_t first, std::int64_t heads) {
    const bool fused = !names.queryKeyValue.empty();
    TensorPart part;
    if (fused)
      part = {.parts = spec.heads + 2 * spec.kvHeads, .index = first, .span = heads};
    tensors.linear({.what = what,
                    .stored = fused ? names.queryKeyValue
                                    : std::string("self_attn.") + what + "_proj",
                    .outputs = heads * spec.headDim,
                    .inputs = spec.width,
                    .bias = spec.queryKeyValueBias,
                    .part = part});
  };
  projection("q", 0, spec.heads);
  projection("k", spec.heads, spec.kvHeads);
  projection("v", spec.heads + spec.kvHeads, spec.kvHeads);
  tensors.linear({.what = "o",
                  .stored = names.attentionOut,
                  .outputs = spec.width,
                  .inputs = spec.heads * spec.headDim,
                  .bias = spec.attentionOutBias});
  if (spec.attentionSinks) tensors.add("sinks", "self_attn.sinks", {spec.heads});
  addHeadNorm(spec, "q_norm", names.queryNorm, spec.heads, tensors);
  addHeadNorm(spec, "k_norm", names.keyNorm, spec.kvHeads, tensors);
}

void addFeedForward(const ModelSpec& spec, const DecoderNames& names,
                    TensorList& tensors) {
  const auto widening = [&](const char* what, const std::string& stored,
                            TensorPart part = {}) {
    tensors.linear({.what = what,
                    .stored = stored,
                    .outputs = spec.mlpWidth,
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
                  .inputs = spec.mlpWidth,
                  .bias = spec.mlpBias});
}

/// One expert's slices of the tensors of all, see ExpertLayout::Pairs.
void addPairedExpert(const ModelSpec& spec, const MoeNames& names, std::int64_t expert,
                     TensorList& tensors) {
  const MoeSpec& moe = *spec.moe;
  const auto add = [&](const char* what, const std::string& stored, std::int64_t outputs,
                       std::int64_t inputs, TensorPart part) {
    part.transposed = true;
    part.slices = moe.experts;
    part.slice = expert;
    tensors.linear({.where = "experts." + std::to_string(expert) + ".",
                    .what = what,
                    .stored = names.experts + stored,
                    .outputs = outputs,
                    .inputs = inputs,
                    .bias = moe.bias,
                    .part = part,
                    .weightSuffix = "",
                    .biasSuffix = "_bias"});
  };
  const std::int64_t width = moe.expertWidth;
  add("gate", "gate_up_proj", width, spec.width, {.groups = width, .parts = 2});
  add("up", "gate_up_proj", width, spec.width, {.groups = width, .parts = 2, .index = 1});
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
    if (names.layout == ExpertLayout::Pairs) {
      addPairedExpert(spec, names, index, tensors);
      continue;
    }
    const std::string number = std::to_string(index) + ".";
    expert("experts." + number, names.experts + number, moe.expertWidth);
  }
  if (moe.sharedWidth == 0) return;
  router("shared_router", names.sharedRouter, 1);
  expert("shared.", names.shared, moe.sharedWidth);
}

void addLayer(const ModelSpec& spec, const DecoderNames& names, TensorList& tensors,
              const LayerSpec& layer) {
  const std::vector<std::int64_t> width{spec.width};
  if (spec.attentionPreNorm) tensors.norm("attn_norm", names.attentionNorm, width);
  addAttention(spec, names, tensors);
  if (spec.attentionPostNorm)
    tensors.norm("attn_post_norm", names.attentionPostNorm, width);
  if (spec.mlpPreNorm && spec.mlpInput != MlpInput::AttentionInput)
    tensors.norm("mlp_norm", names.mlpNorm, width);
  if (layer.moe)
    addMoe(spec, names.moe, tensors);
  else
    addFeedForward(spec, names, tensors);
  if (spec.mlpPostNorm) tensors.norm("mlp_post_norm", names.mlpPostNorm, width);
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

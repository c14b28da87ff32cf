// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/checkpoint/family/decoder_keys.h"

namespace equipatch {
namespace {

/// Returns four sizes under their current keys. The first Falcon files use older keys.
Json withCurrentKeys(JsonObject& config) {
  constexpr std::pair<const char*, const char*> kRenamed[] = {
      {"n_head", "num_attention_heads"},
      {"n_layer", "num_hidden_layers"},
      {"n_embed", "hidden_size"},
      {"n_head_kv", "num_kv_heads"}};
  Json renamed = Json::object();
  for (const auto& [former, name] : kRenamed) {
    const Json* old = config.member(former);
    const Json* current = config.member(name);
    if (old && current && *old != *current)
      throw badInput(config.source() + ": \"" + former + "\" and \"" + name +
                     "\" should agree, found " + old->dump() + " and " + current->dump());
    if (old || current) renamed[name] = current ? *current : *old;
  }
  return renamed;
}

/// Differences between the blocks of Falcon's versions.
struct FalconLayout {
  bool grouped = false;  ///< 40B and later: "num_kv_heads" groups of heads
  bool twoNorms = false;
  bool parallel = true;
};

FalconLayout readLayout(JsonObject& config, ModelSpec& spec) {
  FalconLayout layout;
  layout.grouped = config.boolean("new_decoder_architecture", false);
  layout.parallel = config.boolean("parallel_attn", true);
  if (layout.grouped && !layout.parallel)
    throw unsupported(config.source() +
                      ": \"parallel_attn\" is false although "
                      "\"new_decoder_architecture\" is true, which no model has");
  const auto norms = config.optionalInteger("num_ln_in_parallel_attn", 1, 2);
  layout.twoNorms = layout.parallel && norms.value_or(layout.grouped ? 2 : 1) == 2;
  if (layout.twoNorms && !layout.grouped)
    throw unsupported(config.source() +
                      ": \"num_ln_in_parallel_attn\" is 2 without "
                      "\"new_decoder_architecture\", which no model has");
  const bool multiQuery = config.boolean("multi_query", true);
  if (!layout.grouped && multiQuery) spec.kvHeads = 1;
  if (!layout.grouped && !multiQuery && spec.kvHeads != spec.heads)
    throw unsupported(config.source() + ": \"num_kv_heads\" " +
                      std::to_string(spec.kvHeads) +
                      " needs \"new_decoder_architecture\"; without it, expected as many "
                      "as heads, " +
                      std::to_string(spec.heads));
  return layout;
}

void addFalconLayer(const ModelSpec& spec, const FalconLayout& layout,
                    TensorList& tensors) {
  const auto linear = [&](const std::string& what, const char* stored,
                          std::int64_t outputs, std::int64_t inputs, TensorPart part) {
    tensors.linear({.what = what,
                    .stored = stored,
                    .outputs = outputs,
                    .inputs = inputs,
                    .bias = spec.mlpBias,
                    .part = part});
  };
  const std::int64_t group = spec.heads / spec.kvHeads;
  // The fused matrix holds its rows group by group: the group's queries, key, value.
  const auto projection = [&](const char* what, std::int64_t first, std::int64_t span) {
    linear(what, "self_attention.query_key_value", spec.kvHeads * span * spec.headDim,
           spec.width,
           {.groups = spec.kvHeads, .parts = group + 2, .index = first, .span = span});
  };
  tensors.norm("attn_norm", layout.twoNorms ? "ln_attn" : "input_layernorm",
               {spec.width});
  if (layout.twoNorms) tensors.norm("mlp_norm", "ln_mlp", {spec.width});
  if (!layout.parallel)
    tensors.norm("mlp_norm", "post_attention_layernorm", {spec.width});
  projection("q", 0, group);
  projection("k", group, 1);
  projection("v", group + 1, 1);
  linear("o", "self_attention.dense", spec.width, spec.heads * spec.headDim, {});
  linear("in", "mlp.dense_h_to_4h", spec.mlpWidth, spec.width, {});
  linear("down", "mlp.dense_4h_to_h", spec.width, spec.mlpWidth, {});
}

std::vector<TensorBinding> falconTensors(const ModelSpec& spec,
                                         const FalconLayout& layout) {
  TensorList tensors(spec, "h.");
  tensors.add("embed", "word_embeddings.weight", {spec.vocabulary, spec.width});
  for (std::int64_t layer = 0; layer < spec.layerCount(); ++layer) {
    tensors.enterLayer(layer);
    addFalconLayer(spec, layout, tensors);
  }
  tensors.leaveLayers();
  tensors.norm("final_norm", "ln_f", {spec.width});
  tensors.head("lm_head");
  return tensors.take();
}

ModelDescription readFalconSizes(JsonObject& config) {
  Json all = withCurrentKeys(config);
  for (const char* key :
       {"vocab_size", "ffn_hidden_size", "max_position_embeddings", "bos_token_id",
        "eos_token_id", "dtype", "torch_dtype", "tie_word_embeddings"})
    if (const Json* value = config.member(key))
      all[key] = *value;
    else if (config.isExplicitNull(key))
      all[key] = nullptr;
  JsonObject sizes(all, config.source());
  SizeKeys keys;
  keys.mlpWidth = "ffn_hidden_size";
  keys.kvHeads = "num_kv_heads";
  keys.headDim = "";
  return readDecoder(sizes, {.sizes = {.vocabulary = 65024,
                                       .width = 4544,
                                       .layers = 32,
                                       .heads = 71,
                                       .maxPositions = 2048,
                                       .keys = keys},
                             .tokens = {.begin = 11, .end = 11},
                             .tiedHead = true});
}

}  // namespace

/// FalconForCausalLM. 7B: one norm, one key and value head. 40B and later
/// ("new_decoder_architecture"): one or two norms, one key and value head per group.
ModelDescription describeFalcon(JsonObject& config) {
  ModelDescription description = readFalconSizes(config);
  ModelSpec& spec = description.spec;
  spec.norm = biasedLayerNorm(readNormEps(config, "layer_norm_epsilon", 1e-5));
  const bool bias = config.boolean("bias", false);
  spec.queryKeyValueBias = spec.attentionOutBias = spec.mlpBias = bias;
  const FalconLayout layout = readLayout(config, spec);
  spec.mlpPreNorm = layout.twoNorms || !layout.parallel;
  spec.mlpInput = !layout.parallel  ? MlpInput::ResidMid
                  : layout.twoNorms ? MlpInput::ResidPre
                                    : MlpInput::AttentionInput;
  spec.mlpForm = MlpForm::Plain;
  spec.activation = readActivation(config, "activation", Activation::GeluExact);
  readUniformLayers(config, {}, description);
  settleCommonKeys(config);
  description.tensors = falconTensors(spec, layout);
  description.schemes = {{.body = "transformer.", .head = ""}, {.body = "", .head = ""}};
  description.ignoredSuffixes = decoderIgnoredSuffixes(spec);
  return description;
}

}  // namespace equipatch

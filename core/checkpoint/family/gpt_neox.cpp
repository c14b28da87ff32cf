// SPDX-License-Identifier: GPL-3.0-or-later
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/checkpoint/family/decoder_keys.h"
#include "core/checkpoint/family/decoder_tensors.h"

namespace equipatch {
namespace {

/// W_q, W_k and W_v share one tensor whose rows are [heads, 3, headDim].
void addGptNeoXLayer(const ModelSpec& spec, TensorList& tensors) {
  tensors.norm("attn_norm", "input_layernorm", {spec.width});
  for (std::int64_t part = 0; part < 3; ++part)
    tensors.linear({.what = std::string(1, "qkv"[part]),
                    .stored = "attention.query_key_value",
                    .outputs = spec.width,
                    .inputs = spec.width,
                    .bias = spec.queryKeyValueBias,
                    .part = {.groups = spec.heads, .parts = 3, .index = part}});
  tensors.linear({.what = "o",
                  .stored = "attention.dense",
                  .outputs = spec.width,
                  .inputs = spec.width,
                  .bias = spec.attentionOutBias});
  tensors.norm("mlp_norm", "post_attention_layernorm", {spec.width});
  tensors.linear({.what = "in",
                  .stored = "mlp.dense_h_to_4h",
                  .outputs = spec.mlpWidth,
                  .inputs = spec.width,
                  .bias = true});
  tensors.linear({.what = "down",
                  .stored = "mlp.dense_4h_to_h",
                  .outputs = spec.width,
                  .inputs = spec.mlpWidth,
                  .bias = true});
}

std::vector<TensorBinding> neoxTensors(const ModelSpec& spec) {
  TensorList tensors(spec, "layers.");
  tensors.add("embed", "embed_in.weight", {spec.vocabulary, spec.width});
  for (std::int64_t layer = 0; layer < spec.layerCount(); ++layer) {
    tensors.enterLayer(layer);
    addGptNeoXLayer(spec, tensors);
  }
  tensors.leaveLayers();
  tensors.norm("final_norm", "final_layer_norm", {spec.width});
  tensors.head("embed_out");
  return tensors.take();
}

double readRenamed(JsonObject& config, const char* former, const char* name,
                   double fallback) {
  const auto first = positiveNumber(config, former);
  const auto second = positiveNumber(config, name);
  if (first && second && *first != *second)
    throw badInput(config.source() + ": \"" + former + "\" and \"" + name +
                   "\" should agree, found " + Json(*first).dump() + " and " +
                   Json(*second).dump());
  return first ? *first : second.value_or(fallback);
}

}  // namespace

/// GPTNeoXForCausalLM: GPT-NeoX and Pythia.
ModelDescription describeGptNeox(JsonObject& config) {
  SizeKeys keys;
  keys.kvHeads = keys.headDim = "";
  ModelDescription description = readDecoder(config, {.sizes = {.vocabulary = 50432,
                                                                .width = 6144,
                                                                .mlpWidth = 24576,
                                                                .layers = 44,
                                                                .heads = 64,
                                                                .maxPositions = 2048,
                                                                .keys = keys},
                                                      .tokens = {.begin = 0, .end = 2}});
  ModelSpec& spec = description.spec;
  spec.norm = biasedLayerNorm(readNormEps(config, "layer_norm_eps", 1e-5));
  spec.queryKeyValueBias = config.boolean("attention_bias", true);
  spec.attentionOutBias = spec.queryKeyValueBias;
  spec.mlpBias = true;
  spec.mlpInput = config.boolean("use_parallel_residual", true) ? MlpInput::ResidPre
                                                                : MlpInput::ResidMid;
  spec.mlpForm = MlpForm::Plain;
  spec.activation = readActivation(config, "hidden_act", Activation::GeluExact);
  readUniformLayers(
      config,
      {.theta = readRenamed(config, "rotary_emb_base", "rope_theta", 10000.0),
       .partial = readRenamed(config, "rotary_pct", "partial_rotary_factor", 0.25)},
      description);
  settleCommonKeys(config);
  description.tensors = neoxTensors(spec);
  description.schemes = {{.body = "gpt_neox.", .head = ""}, {.body = "", .head = ""}};
  description.ignoredSuffixes = {".attention.bias", ".attention.masked_bias",
                                 ".rotary_emb.inv_freq"};
  if (spec.tiedHead) description.ignoredSuffixes.emplace_back("embed_out.weight");
  return description;
}

}  // namespace equipatch

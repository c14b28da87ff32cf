// SPDX-License-Identifier: GPL-3.0-or-later
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/checkpoint/family/decoder_keys.h"

namespace equipatch {

/// Qwen2ForCausalLM: Qwen 2 and 2.5. Queries, keys and values always have biases; no key
/// of config.json says so.
ModelDescription describeQwen2(JsonObject& config) {
  ModelDescription description = readDecoder(config, {.sizes = {.vocabulary = 151936,
                                                                .width = 4096,
                                                                .mlpWidth = 22016,
                                                                .layers = 32,
                                                                .heads = 32,
                                                                .kvHeads = 32,
                                                                .maxPositions = 32768},
                                                      .tokens = {}});
  ModelSpec& spec = description.spec;
  spec.norm.eps = readNormEps(config, "rms_norm_eps", 1e-6);
  spec.queryKeyValueBias = true;
  spec.activation = readActivation(config, "hidden_act", Activation::Silu);
  readUniformLayers(config, {}, description);
  readSwitchedWindow(config, spec);
  completeDecoder(config, {}, description);
  return description;
}

/// Qwen3ForCausalLM. The default headDim is 128 for any width.
ModelDescription describeQwen3(JsonObject& config) {
  ModelDescription description = readDecoder(config, {.sizes = {.vocabulary = 151936,
                                                                .width = 4096,
                                                                .mlpWidth = 22016,
                                                                .layers = 32,
                                                                .heads = 32,
                                                                .kvHeads = 32,
                                                                .headDim = 128,
                                                                .maxPositions = 32768},
                                                      .tokens = {}});
  ModelSpec& spec = description.spec;
  spec.norm.eps = readNormEps(config, "rms_norm_eps", 1e-6);
  spec.queryKeyNorm = QueryKeyNorm::PerHead;
  readAttentionBias(config, spec);
  spec.activation = readActivation(config, "hidden_act", Activation::Silu);
  readUniformLayers(config, {}, description);
  readSwitchedWindow(config, spec);
  completeDecoder(config, {}, description);
  return description;
}

namespace {

/// Requires "layer_types" if windows are on, because releases of transformers differ in
/// the layers that have a window by default.
void readListedWindows(JsonObject& config, ModelSpec& spec) {
  if (config.boolean("use_sliding_window", false) && !config.has("layer_types"))
    throw unsupported(
        config.source() +
        ": \"use_sliding_window\" is true, but there is no \"layer_types\" to say "
        "which layers have the window; add that key");
  readSwitchedWindow(config, spec);
}

}  // namespace

ModelDescription describeQwen2Moe(JsonObject& config) {
  ModelDescription description = readDecoder(config, {.sizes = {.vocabulary = 151936,
                                                                .width = 2048,
                                                                .mlpWidth = 5632,
                                                                .layers = 24,
                                                                .heads = 16,
                                                                .kvHeads = 16,
                                                                .maxPositions = 32768},
                                                      .tokens = {}});
  ModelSpec& spec = description.spec;
  spec.norm.eps = readNormEps(config, "rms_norm_eps", 1e-6);
  spec.queryKeyValueBias = config.boolean("qkv_bias", true);
  spec.activation = readActivation(config, "hidden_act", Activation::Silu);
  readUniformLayers(config, {}, description);
  readListedWindows(config, spec);
  spec.moe = readMoe(config, {.experts = 60, .active = 4}, spec);
  spec.moe->expertWidth = readInnerWidth(config, "moe_intermediate_size", 1408);
  spec.moe->sharedWidth = readInnerWidth(config, "shared_expert_intermediate_size", 5632);
  spec.moe->normaliseGates = config.boolean("norm_topk_prob", false);
  readSparseLayers(config, spec);
  completeDecoder(config, {}, description);
  return description;
}

/// Qwen3MoeForCausalLM: Qwen 3 with a mixture of experts and no shared expert.
ModelDescription describeQwen3Moe(JsonObject& config) {
  ModelDescription description = readDecoder(config, {.sizes = {.vocabulary = 151936,
                                                                .width = 2048,
                                                                .mlpWidth = 6144,
                                                                .layers = 24,
                                                                .heads = 32,
                                                                .kvHeads = 4,
                                                                .maxPositions = 32768},
                                                      .tokens = {}});
  ModelSpec& spec = description.spec;
  spec.norm.eps = readNormEps(config, "rms_norm_eps", 1e-6);
  spec.queryKeyNorm = QueryKeyNorm::PerHead;
  readAttentionBias(config, spec);
  spec.activation = readActivation(config, "hidden_act", Activation::Silu);
  readUniformLayers(config, {}, description);
  config.ignore({"max_window_layers", "sliding_window"});
  if (config.boolean("use_sliding_window", false))
    setWindows(std::vector<bool>(spec.layers.size(), true), readWindow(config, 4096),
               spec);
  spec.moe = readMoe(config, {.experts = 128, .active = 8}, spec);
  spec.moe->expertWidth = readInnerWidth(config, "moe_intermediate_size", 768);
  spec.moe->normaliseGates = config.boolean("norm_topk_prob", false);
  readSparseLayers(config, spec);
  completeDecoder(config, {}, description);
  return description;
}

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/family/decoder_keys.h"

namespace equipatch {

/// MistralForCausalLM: Llama with a sliding window in all layers, unless "sliding_window"
/// is null.
ModelDescription describeMistral(JsonObject& config) {
  ModelDescription description = readDecoder(config, {.sizes = {.vocabulary = 32000,
                                                                .width = 4096,
                                                                .mlpWidth = 14336,
                                                                .layers = 32,
                                                                .heads = 32,
                                                                .kvHeads = 8,
                                                                .maxPositions = 131072},
                                                      .tokens = {.begin = 1, .end = 2}});
  ModelSpec& spec = description.spec;
  spec.norm.eps = readNormEps(config, "rms_norm_eps", 1e-6);
  spec.activation = readActivation(config, "hidden_act", Activation::Silu);
  readUniformLayers(config, {}, description);
  setWindows(std::vector<bool>(spec.layers.size(), true), readWindow(config, 4096), spec);
  completeDecoder(config, {}, description);
  return description;
}

/// MixtralForCausalLM: Mistral with a mixture of experts in every layer. If
/// "sliding_window" is absent, no layer has a window.
ModelDescription describeMixtral(JsonObject& config) {
  ModelDescription description = readDecoder(config, {.sizes = {.vocabulary = 32000,
                                                                .width = 4096,
                                                                .mlpWidth = 14336,
                                                                .layers = 32,
                                                                .heads = 32,
                                                                .kvHeads = 8,
                                                                .maxPositions = 131072},
                                                      .tokens = {.begin = 1, .end = 2}});
  ModelSpec& spec = description.spec;
  spec.norm.eps = readNormEps(config, "rms_norm_eps", 1e-5);
  spec.activation = readActivation(config, "hidden_act", Activation::Silu);
  readUniformLayers(config, {.theta = 1e6}, description);
  setWindows(std::vector<bool>(spec.layers.size(), true),
             readWindow(config, std::nullopt), spec);
  spec.moe = readMoe(config, {.experts = 8, .active = 2}, spec);
  spec.moe->expertWidth = spec.mlpWidth;
  for (LayerSpec& layer : spec.layers) layer.moe = true;

  DecoderNames names;
  names.moe = {.router = "block_sparse_moe.gate",
               .experts = "block_sparse_moe.experts.",
               .gate = "w1",
               .up = "w3",
               .down = "w2"};
  completeDecoder(config, names, description);
  return description;
}

}  // namespace equipatch

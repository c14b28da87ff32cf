// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/family/decoder_keys.h"

namespace equipatch {

/// LlamaForCausalLM: Llama 1 to 3.x and models saved in their layout.
ModelDescription describeLlama(JsonObject& config) {
  ModelDescription description = readDecoder(config, {.sizes = {.vocabulary = 32000,
                                                                .width = 4096,
                                                                .mlpWidth = 11008,
                                                                .layers = 32,
                                                                .heads = 32,
                                                                .maxPositions = 2048},
                                                      .tokens = {.begin = 1, .end = 2}});
  ModelSpec& spec = description.spec;
  spec.norm.eps = readNormEps(config, "rms_norm_eps", 1e-6);
  readAttentionBias(config, spec);
  spec.mlpBias = config.boolean("mlp_bias", false);
  spec.activation = readActivation(config, "hidden_act", Activation::Silu);
  readUniformLayers(config, {}, description);
  completeDecoder(config, {}, description);
  return description;
}

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/family/decoder_keys.h"

namespace equipatch {

/// GraniteForCausalLM: Llama with four multipliers. "attention_multiplier" replaces
/// 1/sqrt(headDim); "logits_scaling" divides the logits.
ModelDescription describeGranite(JsonObject& config) {
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
  spec.embeddingScale = positiveNumber(config, "embedding_multiplier").value_or(1.0);
  spec.roundEmbeddingScale = false;
  spec.residualScale = positiveNumber(config, "residual_multiplier").value_or(1.0);
  spec.logitScale = 1.0 / positiveNumber(config, "logits_scaling").value_or(1.0);
  readUniformLayers(config, {}, description);
  const double attentionScale =
      positiveNumber(config, "attention_multiplier").value_or(1.0);
  for (LayerSpec& layer : spec.layers) layer.attentionScale = attentionScale;
  completeDecoder(config, {}, description);
  return description;
}

}  // namespace equipatch

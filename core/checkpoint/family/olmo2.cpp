// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/family/decoder_keys.h"

namespace equipatch {

/// Olmo2ForCausalLM: post-norms only, and norms over all heads' queries and keys at once.
ModelDescription describeOlmo2(JsonObject& config) {
  ModelDescription description = readDecoder(config, {.sizes = {.vocabulary = 50304,
                                                                .width = 4096,
                                                                .mlpWidth = 11008,
                                                                .layers = 32,
                                                                .heads = 32,
                                                                .maxPositions = 2048},
                                                      .tokens = {.end = 50279}});
  ModelSpec& spec = description.spec;
  // Unlike Llama's, this norm multiplies before it rounds.
  spec.norm = {.eps = readNormEps(config, "rms_norm_eps", 1e-5),
               .scaleBeforeRounding = true};
  spec.queryKeyNorm = QueryKeyNorm::WholeWidth;
  spec.attentionPreNorm = false;
  spec.attentionPostNorm = true;
  spec.mlpPreNorm = false;
  spec.mlpPostNorm = true;
  readAttentionBias(config, spec);
  spec.activation = readActivation(config, "hidden_act", Activation::Silu);
  readUniformLayers(config, {}, description);
  DecoderNames names;
  names.attentionPostNorm = "post_attention_layernorm";
  names.mlpPostNorm = "post_feedforward_layernorm";
  completeDecoder(config, names, description);
  return description;
}

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/family/decoder_keys.h"

namespace equipatch {

/// CohereForCausalLM: attention and MLP in parallel after one LayerNorm without bias;
/// interleaved rotary pairs.
ModelDescription describeCohere(JsonObject& config) {
  ModelDescription description =
      readDecoder(config, {.sizes = {.vocabulary = 256000,
                                     .width = 8192,
                                     .mlpWidth = 22528,
                                     .layers = 40,
                                     .heads = 64,
                                     .maxPositions = 8192},
                           .tokens = {.begin = 5, .end = 255001},
                           .tiedHead = true});
  ModelSpec& spec = description.spec;
  spec.norm = {.kind = NormKind::Layer,
               .eps = readNormEps(config, "layer_norm_eps", 1e-5),
               .scaleBeforeRounding = true};
  if (config.boolean("use_qk_norm", false)) spec.queryKeyNorm = QueryKeyNorm::OwnPerHead;
  readAttentionBias(config, spec);
  spec.mlpPreNorm = false;
  spec.mlpInput = MlpInput::AttentionInput;
  spec.activation = readActivation(config, "hidden_act", Activation::Silu);
  spec.logitScale = positiveNumber(config, "logit_scale").value_or(0.0625);
  readUniformLayers(config, {.pairs = RopePairs::Interleaved}, description);
  completeDecoder(config, {}, description);
  return description;
}

}  // namespace equipatch

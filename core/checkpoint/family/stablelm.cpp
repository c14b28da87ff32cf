// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/family/decoder_keys.h"

namespace equipatch {

/// StableLmForCausalLM: Llama with LayerNorms and a partial rotation; where
/// "use_parallel_residual" is true, attention and MLP read the output of one norm.
ModelDescription describeStableLm(JsonObject& config) {
  ModelDescription description = readDecoder(config, {.sizes = {.vocabulary = 50304,
                                                                .width = 2560,
                                                                .mlpWidth = 6912,
                                                                .layers = 32,
                                                                .heads = 32,
                                                                .kvHeads = 32,
                                                                .maxPositions = 4096},
                                                      .tokens = {.begin = 0, .end = 0}});
  ModelSpec& spec = description.spec;
  spec.norm = biasedLayerNorm(readNormEps(config, "layer_norm_eps", 1e-5));
  spec.queryKeyValueBias = config.boolean("use_qkv_bias", false);
  if (config.boolean("qk_layernorm", false)) spec.queryKeyNorm = QueryKeyNorm::OwnPerHead;
  if (config.boolean("use_parallel_residual", false)) {
    spec.mlpPreNorm = false;
    spec.mlpInput = MlpInput::AttentionInput;
  }
  spec.activation = readActivation(config, "hidden_act", Activation::Silu);
  readUniformLayers(config, {.partial = 0.25}, description);
  DecoderNames names;
  names.queryNorm = "self_attn.q_layernorm.norms.";
  names.keyNorm = "self_attn.k_layernorm.norms.";
  completeDecoder(config, names, description);
  return description;
}

}  // namespace equipatch

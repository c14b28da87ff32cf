// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/family/decoder_keys.h"

namespace equipatch {

/// PhiForCausalLM: Phi 1, 1.5 and 2. Attention and MLP in parallel after one norm. Every
/// projection has a bias, and so has the LM head.
ModelDescription describePhi(JsonObject& config) {
  ModelDescription description = readDecoder(config, {.sizes = {.vocabulary = 51200,
                                                                .width = 2048,
                                                                .mlpWidth = 8192,
                                                                .layers = 24,
                                                                .heads = 32,
                                                                .maxPositions = 2048},
                                                      .tokens = {.begin = 1, .end = 2}});
  ModelSpec& spec = description.spec;
  spec.norm = biasedLayerNorm(readNormEps(config, "layer_norm_eps", 1e-5));
  if (config.boolean("qk_layernorm", false)) spec.queryKeyNorm = QueryKeyNorm::PerHead;
  spec.queryKeyValueBias = spec.attentionOutBias = true;
  spec.mlpBias = spec.headBias = true;
  spec.mlpPreNorm = false;
  spec.mlpInput = MlpInput::AttentionInput;
  spec.mlpForm = MlpForm::Plain;
  spec.activation = readActivation(config, "hidden_act", Activation::GeluTanh);
  readUniformLayers(config, {.partial = 0.5}, description);
  DecoderNames names;
  names.queryNorm = "self_attn.q_layernorm";
  names.keyNorm = "self_attn.k_layernorm";
  names.attentionOut = "self_attn.dense";
  names.in = "mlp.fc1";
  names.down = "mlp.fc2";
  names.finalNorm = "final_layernorm";
  completeDecoder(config, names, description);
  return description;
}

/// Phi3ForCausalLM: Phi 3, 3.5 and 4-mini. Llama with fused projections. config.json may
/// set longrope, and a window for all layers.
ModelDescription describePhi3(JsonObject& config) {
  ModelDescription description =
      readDecoder(config, {.sizes = {.vocabulary = 32064,
                                     .width = 3072,
                                     .mlpWidth = 8192,
                                     .layers = 32,
                                     .heads = 32,
                                     .maxPositions = 4096},
                           .tokens = {.begin = 1, .end = 32000}});
  ModelSpec& spec = description.spec;
  spec.norm.eps = readNormEps(config, "rms_norm_eps", 1e-5);
  spec.activation = readActivation(config, "hidden_act", Activation::Silu);
  const std::int64_t original =
      config.optionalInteger("original_max_position_embeddings", 1, kMaxPositions)
          .value_or(4096);
  readUniformLayers(config, {.partial = 1.0, .longRopeOriginal = original}, description);
  setWindows(std::vector<bool>(spec.layers.size(), true),
             readWindow(config, std::nullopt), spec);
  DecoderNames names;
  names.queryKeyValue = "self_attn.qkv_proj";
  names.gateUp = "mlp.gate_up_proj";
  completeDecoder(config, names, description);
  return description;
}

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/checkpoint/family/decoder_keys.h"

namespace equipatch {
namespace {

/// @throws Error{BadInput} for more than kMostNorms norms: a few bytes of config.json
///         must not request millions of tensors
void readHeadNorms(JsonObject& config, ModelSpec& spec) {
  constexpr std::int64_t kMostNorms = std::int64_t{1} << 17;
  if (!config.boolean("qk_layernorm", false)) return;
  spec.queryKeyNorm = QueryKeyNorm::OwnPerHead;
  const std::int64_t norms = (spec.heads + spec.kvHeads) * spec.layerCount();
  if (norms > kMostNorms)
    throw badInput(config.source() + ": \"qk_layernorm\" needs a norm for each head, " +
                   std::to_string(norms) + " in all layers, expected at most " +
                   std::to_string(kMostNorms));
}

}  // namespace

/// StableLmForCausalLM: Llama with LayerNorms and a partial rotary embedding.
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
  readHeadNorms(config, spec);
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

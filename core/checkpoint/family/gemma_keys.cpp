#include "core/checkpoint/family/gemma_keys.h"

#include <cmath>

#include "core/checkpoint/family/decoder_keys.h"

namespace equipatch {
namespace {

/// Files that say "gelu" mean the tanh form: the models were trained with it.
Activation readGemmaActivation(JsonObject& config) {
  const Activation named =
      readActivation(config, "hidden_activation",
                     readActivation(config, "hidden_act", Activation::GeluTanh));
  return named == Activation::GeluExact ? Activation::GeluTanh : named;
}

}  // namespace

ModelDescription readGemma(JsonObject& config, const SizeDefaults& sizes) {
  ModelDescription description = readDecoder(
      config, {.sizes = sizes, .tokens = {.begin = 2, .end = 1}, .tiedHead = true});
  ModelSpec& spec = description.spec;
  spec.norm = {.eps = readNormEps(config, "rms_norm_eps", 1e-6),
               .storedMinusOne = true,
               .scaleBeforeRounding = true};
  readAttentionBias(config, spec);
  spec.activation = readGemmaActivation(config);
  spec.embeddingScale = std::sqrt(static_cast<double>(spec.width));
  return description;
}

DecoderNames addPostNorms(ModelSpec& spec) {
  spec.attentionPostNorm = true;
  spec.mlpPostNorm = true;
  DecoderNames names;
  names.attentionPostNorm = "post_attention_layernorm";
  names.mlpNorm = "pre_feedforward_layernorm";
  names.mlpPostNorm = "post_feedforward_layernorm";
  return names;
}

void readQueryScale(JsonObject& config, ModelSpec& spec) {
  const double scalar = positiveNumber(config, "query_pre_attn_scalar").value_or(256.0);
  for (LayerSpec& layer : spec.layers) layer.attentionScale = 1.0 / std::sqrt(scalar);
}

}  // namespace equipatch

#include "core/checkpoint/family/decoder_keys.h"

namespace equipatch {

ModelDescription readDecoder(JsonObject& config, const DecoderDefaults& defaults) {
  ModelDescription description;
  ModelSpec& spec = description.spec;
  readSizes(config, defaults.sizes, spec);
  readTokens(config, defaults.tokens, spec);
  spec.storedDType = readStoredDType(config);
  spec.tiedHead = config.boolean("tie_word_embeddings", defaults.tiedHead);
  return description;
}

NormSpec biasedLayerNorm(double eps) {
  return {.kind = NormKind::Layer, .eps = eps, .bias = true, .scaleBeforeRounding = true};
}

void readAttentionBias(JsonObject& config, ModelSpec& spec) {
  spec.queryKeyValueBias = config.boolean("attention_bias", false);
  spec.attentionOutBias = spec.queryKeyValueBias;
}

void completeDecoder(JsonObject& config, const DecoderNames& names,
                     ModelDescription& description) {
  settleCommonKeys(config);
  description.tensors = decoderTensors(description.spec, names);
  description.ignoredSuffixes = decoderIgnoredSuffixes(description.spec);
  description.schemes = decoderSchemes();
}

}  // namespace equipatch

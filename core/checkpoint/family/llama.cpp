#include <cmath>

#include "core/checkpoint/family/config_keys.h"
#include "core/checkpoint/family/decoder_tensors.h"
#include "core/checkpoint/family/rope_keys.h"

namespace equipatch {

/// LlamaForCausalLM: Llama 1 to 3.x and what is saved in their layout.
ModelDescription describeLlama(JsonObject& config) {
  ModelDescription description;
  ModelSpec& spec = description.spec;
  readSizes(config,
            {.vocabulary = 32000,
             .width = 4096,
             .mlpWidth = 11008,
             .layers = 32,
             .heads = 32,
             .kvHeads = std::nullopt,
             .headDim = std::nullopt,
             .maxPositions = 2048},
            spec);
  readTokens(config, {.begin = 1, .end = 2}, spec);
  spec.storedDType = readStoredDType(config);

  spec.norm = {.eps = readNormEps(config, 1e-6),
               .storedMinusOne = false,
               .scaleBeforeRounding = false};
  // "attention_bias" means all four projections, the output's too.
  spec.queryKeyValueBias = config.boolean("attention_bias", false);
  spec.attentionOutBias = spec.queryKeyValueBias;
  spec.mlpBias = config.boolean("mlp_bias", false);
  spec.activation = readActivation(config, "hidden_act", Activation::Silu);
  spec.tiedHead = config.boolean("tie_word_embeddings", false);

  const RopeSpec rope = readRope(config, 10000.0, description.unreadKeys);
  for (LayerSpec& layer : spec.layers) {
    layer.rope = rope;
    layer.rope->dims = spec.headDim;
    layer.attentionScale = 1.0 / std::sqrt(static_cast<double>(spec.headDim));
  }

  settleCommonKeys(config);
  description.tensors = decoderTensors(
      spec, {.attentionNorm = "input_layernorm", .mlpNorm = "post_attention_layernorm"});
  description.ignoredSuffixes = decoderIgnoredSuffixes(spec);
  return description;
}

}  // namespace equipatch

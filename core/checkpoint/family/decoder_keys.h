#pragma once

#include "core/base/json.h"
#include "core/checkpoint/family/config_keys.h"
#include "core/checkpoint/family/decoder_tensors.h"
#include "core/checkpoint/spec.h"

namespace equipatch {

/// What a family's configuration class gives for keys that config.json omits.
struct DecoderDefaults {
  SizeDefaults sizes;
  TokenDefaults tokens;
  bool tiedHead = false;
};

/// The keys that mean the same in every family: sizes, begin and end tokens, the stored
/// dtype, "tie_word_embeddings".
ModelDescription readDecoder(JsonObject& config, const DecoderDefaults& defaults);

/// The norm of the families before Llama: a LayerNorm with scale and bias.
NormSpec biasedLayerNorm(double eps);

/// "attention_bias", where it means all four projections.
void readAttentionBias(JsonObject& config, ModelSpec& spec);

/// Settles what the family has not read and lists its tensors, whose names descend from
/// Llama's.
void completeDecoder(JsonObject& config, const DecoderNames& names,
                     ModelDescription& description);

}  // namespace equipatch

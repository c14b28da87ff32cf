#pragma once

#include "core/base/json.h"
#include "core/checkpoint/family/config_keys.h"
#include "core/checkpoint/family/decoder_tensors.h"
#include "core/checkpoint/spec.h"

namespace equipatch {

/// What all Gemmas share: norms stored as m − 1 and multiplied before rounding, scaled
/// embeddings, tied heads, the tanh form of GELU.
ModelDescription readGemma(JsonObject& config, const SizeDefaults& sizes);

/// Four norms a layer, from the second generation on: "post_attention_layernorm" is there
/// a norm of the attention's output, not the feed-forward's input as in Llama.
/// @returns what the tensors are called then
DecoderNames addPostNorms(ModelSpec& spec);

/// "query_pre_attn_scalar": scores are divided by its root in every layer.
void readQueryScale(JsonObject& config, ModelSpec& spec);

}  // namespace equipatch

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/json.h"
#include "core/checkpoint/family/config_keys.h"
#include "core/checkpoint/family/decoder_tensors.h"
#include "core/checkpoint/family/rope_keys.h"
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

/// Gives every layer the rotation that config.json describes and the usual scale
/// 1/sqrt(headDim). Where yarn or dynamic scaling lets the model read further than
/// "max_position_embeddings", the spec's maxPositions grows.
/// @param habits theta, partial and pairs of the family; sizes come from the spec.
void readUniformLayers(JsonObject& config, RopeDefaults habits,
                       ModelDescription& description);

/// "layer_types": which layers see a window only; nothing when it is not there.
/// @throws Error unless it names each layer sliding_attention or full_attention.
std::optional<std::vector<bool>> readLayerTypes(JsonObject& config, std::size_t layers);

/// "sliding_window": nothing when it is null, the default when it is not there.
std::optional<std::int64_t> readWindow(JsonObject& config,
                                       std::optional<std::int64_t> fallback);

/// Gives a window to the layers marked in `local`.
void setWindows(const std::vector<bool>& local, std::optional<std::int64_t> window,
                ModelSpec& spec);

/// The window of layers from "max_window_layers" on, or of those that "layer_types"
/// names, when "use_sliding_window" switches it on.
void readSwitchedWindow(JsonObject& config, ModelSpec& spec);

struct MoeDefaults {
  std::int64_t experts = 0;
  std::int64_t active = 0;
};

/// "num_experts" or "num_local_experts", and "num_experts_per_tok". Widths are the
/// family's to read.
/// @throws Error{BadInput} when more are chosen than there are, or there are too many.
MoeSpec readMoe(JsonObject& config, MoeDefaults defaults, const ModelSpec& spec);

/// Layer i is a mixture of experts when (i + 1) is a multiple of "decoder_sparse_step"
/// and i is not among "mlp_only_layers".
void readSparseLayers(JsonObject& config, ModelSpec& spec);

}  // namespace equipatch

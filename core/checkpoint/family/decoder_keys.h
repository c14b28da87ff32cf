// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/checkpoint/family/config_keys.h"
#include "core/checkpoint/family/decoder_tensors.h"
#include "core/checkpoint/family/rope_keys.h"
#include "core/checkpoint/spec.h"

namespace equipatch {

/// Values of a family's configuration class for keys that config.json omits.
struct DecoderDefaults {
  SizeDefaults sizes;
  TokenDefaults tokens;
  bool tiedHead = false;
};

/// Reads what every family has: sizes, begin and end tokens, stored dtype,
/// "tie_word_embeddings".
ModelDescription readDecoder(JsonObject& config, const DecoderDefaults& defaults);

/// LayerNorm with scale and bias, as in GPT-2.
NormSpec biasedLayerNorm(double eps);

/// Reads "attention_bias", which gives all four projections (q, k, v, o) a bias.
void readAttentionBias(JsonObject& config, ModelSpec& spec);

/// Calls `settleCommonKeys`, then sets the description's tensors, ignored suffixes and
/// name schemes. The spec must be complete.
void completeDecoder(JsonObject& config, const DecoderNames& names,
                     ModelDescription& description);

/// Gives every layer the rotary embedding of config.json and the usual score scale
/// 1/sqrt(headDim). Raises the spec's maxPositions if yarn or dynamic scaling extends
/// "max_position_embeddings".
/// @param defaults headDim and maxPositions are ignored; the spec's are used
void readUniformLayers(JsonObject& config, RopeDefaults defaults,
                       ModelDescription& description);

/// Does the same as `readUniformLayers`, with this rotary embedding.
void setUniformLayers(const RopeSpec& rope, ModelSpec& spec);

/// Reads from "layer_types" which layers are of `type`; nothing when the key is absent.
/// @throws Error unless the list has `layers` entries and each is `type` or
///         full_attention.
std::optional<std::vector<bool>> readLayerTypes(
    JsonObject& config, std::size_t layers,
    const std::string& type = "sliding_attention");

/// Reads "sliding_window", in tokens: nothing when null, the fallback when absent.
std::optional<std::int64_t> readWindow(JsonObject& config,
                                       std::optional<std::int64_t> fallback);

void setWindows(const std::vector<bool>& local, std::optional<std::int64_t> window,
                ModelSpec& spec);

/// Checks "layer_types" of a config whose "use_sliding_window" is off.
/// @param types from `readLayerTypes`
/// @throws Error{BadInput} if a layer's type is sliding_attention
void requireNoWindows(const JsonObject& config,
                      const std::optional<std::vector<bool>>& types);

/// If "use_sliding_window" is true, gives a window to the layers that "layer_types" calls
/// sliding_attention; without "layer_types", to the layers from "max_window_layers" on.
/// @throws Error{BadInput} if the switch is off but "layer_types" names such layers
void readSwitchedWindow(JsonObject& config, ModelSpec& spec);

/// Describes the text part of a multimodal model. Takes the keys for tokens, dtype, tying
/// and quantisation from the outer object where "text_config" lacks them. Calls
/// `settleCommonKeys` for the outer object. The caller sets name schemes and ignored
/// prefixes, and marks its family's own outer keys as read.
/// @param outerOnly keys that are read from the outer object, never from "text_config"
ModelDescription describeText(JsonObject& config,
                              ModelDescription (*describe)(JsonObject&),
                              const std::vector<std::string>& outerOnly = {});

struct MoeDefaults {
  std::int64_t experts = 0;
  std::int64_t active = 0;
};

/// Reads "num_experts" or "num_local_experts", and "num_experts_per_tok". The caller
/// reads the experts' width.
/// @throws Error{BadInput} when keys contradict each other or there are too many experts.
MoeSpec readMoe(JsonObject& config, MoeDefaults defaults, const ModelSpec& spec);

/// Marks layer i as MoE when (i + 1) is a multiple of "decoder_sparse_step" and i is not
/// in "mlp_only_layers".
void readSparseLayers(JsonObject& config, ModelSpec& spec);

}  // namespace equipatch

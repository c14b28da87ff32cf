// SPDX-License-Identifier: GPL-3.0-or-later
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/checkpoint/family/decoder_keys.h"

namespace equipatch {
namespace {

/// Despite its name, "no_rope_layers" holds 1 for a layer WITH a rotary embedding.
std::vector<bool> readRotatingLayers(JsonObject& config, std::size_t layers) {
  const auto interval = static_cast<std::size_t>(
      config.optionalInteger("no_rope_layer_interval", 1, kMaxPositions).value_or(4));
  std::vector<bool> rotates(layers);
  for (std::size_t i = 0; i < layers; ++i) rotates[i] = (i + 1) % interval != 0;
  const Json* list = config.member("no_rope_layers");
  if (!list) return rotates;
  if (!list->is_array() || list->size() != layers)
    throw badInput(config.source() + ": \"no_rope_layers\" should be a list of " +
                   std::to_string(layers) + ", one for each layer");
  for (std::size_t i = 0; i < layers; ++i) {
    const Json& entry = (*list)[i];
    if (entry != 0 && entry != 1)
      throw badInput(config.source() + ": \"no_rope_layers\" of layer " +
                     std::to_string(i) + " should be 0 or 1, found " +
                     foundNumber(entry));
    rotates[i] = entry == 1;
  }
  return rotates;
}

/// If "use_sliding_window" is on, the layers that "layer_types" calls sliding_attention
/// get the window; without "layer_types", those without a rotary embedding.
/// @throws Error{BadInput} if "layer_types" has "sliding_attention" although
///         "use_sliding_window" is off: only some attention implementations of
///         transformers then apply the window
void readSmolWindows(JsonObject& config, const std::vector<bool>& rotates,
                     ModelSpec& spec) {
  const auto window = readWindow(config, std::nullopt);
  const auto types = readLayerTypes(config, rotates.size());
  config.ignore({"max_window_layers"});  // unknown to SmolLM3Config
  if (!config.boolean("use_sliding_window", false)) {
    requireNoWindows(config, types);
    return;
  }
  std::vector<bool> local = rotates;
  local.flip();
  setWindows(types.value_or(local), window, spec);
}

}  // namespace

/// SmolLM3ForCausalLM: Llama with some layers without a rotary embedding and, by default,
/// a tied head.
ModelDescription describeSmolLM3(JsonObject& config) {
  ModelDescription description =
      readDecoder(config, {.sizes = {.vocabulary = 128256,
                                     .width = 2048,
                                     .mlpWidth = 11008,
                                     .layers = 36,
                                     .heads = 16,
                                     .kvHeads = 4,
                                     .maxPositions = 32768},
                           .tokens = {.begin = 128000, .end = 128001},
                           .tiedHead = true});
  ModelSpec& spec = description.spec;
  spec.norm.eps = readNormEps(config, "rms_norm_eps", 1e-6);
  readAttentionBias(config, spec);
  spec.mlpBias = config.boolean("mlp_bias", false);
  spec.activation = readActivation(config, "hidden_act", Activation::Silu);
  readUniformLayers(config, {.theta = 2e6}, description);
  const std::vector<bool> rotates = readRotatingLayers(config, spec.layers.size());
  readSmolWindows(config, rotates, spec);
  for (std::size_t i = 0; i < rotates.size(); ++i)
    if (!rotates[i]) spec.layers[i].rope.reset();
  completeDecoder(config, {}, description);
  return description;
}

}  // namespace equipatch

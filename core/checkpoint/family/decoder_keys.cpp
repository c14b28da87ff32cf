// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/family/decoder_keys.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/checkpoint/family/config_keys.h"

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

namespace {

constexpr std::int64_t kMaxWindow = std::int64_t{1} << 31;
constexpr std::int64_t kMaxLayerNumber = std::int64_t{1} << 20;
constexpr std::int64_t kMaxExperts = 4096;
/// The limit for all layers together, so that a few bytes of config.json cannot request
/// millions of tensors.
constexpr std::int64_t kMaxAllExperts = std::int64_t{1} << 17;

void stretchPositions(const RopeSpec& rope, ModelSpec& spec) {
  const bool stretches =
      rope.scaling == RopeScaling::Yarn || rope.scaling == RopeScaling::Dynamic;
  if (!stretches || rope.factor <= 1.0) return;
  const double positions = static_cast<double>(rope.originalPositions) * rope.factor;
  const auto extended =
      static_cast<std::int64_t>(std::min(positions, static_cast<double>(kMaxPositions)));
  spec.maxPositions = std::max(spec.maxPositions, extended);
}

}  // namespace

void readUniformLayers(JsonObject& config, RopeDefaults defaults,
                       ModelDescription& description) {
  ModelSpec& spec = description.spec;
  defaults.headDim = spec.headDim;
  defaults.maxPositions = spec.maxPositions;
  setUniformLayers(readRope(config, defaults, description.unreadKeys), spec);
}

void setUniformLayers(const RopeSpec& rope, ModelSpec& spec) {
  stretchPositions(rope, spec);
  for (LayerSpec& layer : spec.layers) {
    layer.rope = rope;
    layer.attentionScale = 1.0 / std::sqrt(static_cast<double>(spec.headDim));
  }
}

std::optional<std::vector<bool>> readLayerTypes(JsonObject& config, std::size_t layers,
                                                const std::string& type) {
  const Json* types = config.member("layer_types");
  if (!types) return std::nullopt;
  if (!types->is_array() || types->size() != layers)
    throw badInput(config.source() + ": \"layer_types\" should be a list of " +
                   std::to_string(layers) + ", one for each layer");
  std::vector<bool> isOfType(layers);
  for (std::size_t i = 0; i < layers; ++i) {
    const Json& stated = (*types)[i];
    if (stated != type && stated != "full_attention")
      throw unsupported(config.source() + ": \"layer_types\" of layer " +
                        std::to_string(i) + " is neither " + type +
                        " nor full_attention, the two that are supported");
    isOfType[i] = stated == type;
  }
  return isOfType;
}

std::optional<std::int64_t> readWindow(JsonObject& config,
                                       std::optional<std::int64_t> fallback) {
  if (config.isExplicitNull("sliding_window")) return std::nullopt;
  const auto window = config.optionalInteger("sliding_window", 1, kMaxWindow);
  return window ? window : fallback;
}

void setWindows(const std::vector<bool>& local, std::optional<std::int64_t> window,
                ModelSpec& spec) {
  for (std::size_t i = 0; i < spec.layers.size(); ++i)
    if (local[i]) spec.layers[i].window = window;
}

void requireNoWindows(const JsonObject& config,
                      const std::optional<std::vector<bool>>& types) {
  if (types && std::find(types->begin(), types->end(), true) != types->end())
    throw badInput(config.source() +
                   ": \"layer_types\" has layers of sliding_attention, but "
                   "\"use_sliding_window\" does not switch that on");
}

void readSwitchedWindow(JsonObject& config, ModelSpec& spec) {
  const std::size_t layers = spec.layers.size();
  const auto types = readLayerTypes(config, layers);
  const auto first = static_cast<std::size_t>(
      config.optionalInteger("max_window_layers", 0, kMaxLayerNumber).value_or(28));
  if (!config.boolean("use_sliding_window", false)) {
    config.ignore({"sliding_window"});  // often present but switched off
    requireNoWindows(config, types);
    return;
  }
  std::vector<bool> local(layers);
  for (std::size_t i = 0; i < layers; ++i) local[i] = types ? (*types)[i] : i >= first;
  setWindows(local, readWindow(config, 4096), spec);
}

namespace {

/// "text_config" of a multimodal config.json, completed by keys of the outer object.
Json withOuterKeys(const Json* inner, JsonObject& outer) {
  Json text = inner ? *inner : Json::object();
  if (!text.is_object()) return text;  // JsonObject refuses it later
  const auto states = [&](const char* key) {
    return text.contains(key) && !text[key].is_null();
  };
  const auto complete = [&](std::initializer_list<const char*> keys) {
    for (const char* key : keys)
      if (const Json* value = outer.member(key); value && !states(key))
        text[key] = *value;
  };
  complete(
      {"bos_token_id", "eos_token_id", "tie_word_embeddings", "quantization_config"});
  // "torch_dtype" is the former name of "dtype": if the inner object has either, the
  // outer object's are ignored.
  if (states("dtype") || states("torch_dtype"))
    outer.ignore({"dtype", "torch_dtype"});
  else
    complete({"dtype", "torch_dtype"});
  return text;
}

}  // namespace

ModelDescription describeText(JsonObject& config,
                              ModelDescription (*describe)(JsonObject&),
                              const std::vector<std::string>& outerOnly) {
  Json text = withOuterKeys(config.member("text_config"), config);
  for (const std::string& key : outerOnly) {
    const Json* value = config.member(key);
    if (!text.is_object()) continue;  // JsonObject refuses it below
    text.erase(key);
    if (value) text[key] = *value;
  }
  JsonObject inner(text, config.source() + ": \"text_config\"");
  ModelDescription description = describe(inner);
  inner.ignore({"architectures", "model_type"});
  for (std::string& key : description.unreadKeys) key.insert(0, "text_config.");
  for (const std::string& key : inner.unread())
    description.unreadKeys.push_back("text_config." + key);
  config.ignore({"vision_config", "audio_config"});
  settleCommonKeys(config);
  return description;
}

MoeSpec readMoe(JsonObject& config, MoeDefaults defaults, const ModelSpec& spec) {
  const auto named = config.optionalInteger("num_experts", 1, kMaxExperts);
  const auto local = config.optionalInteger("num_local_experts", 1, kMaxExperts);
  if (named && local && *named != *local)
    throw badInput(config.source() + ": \"num_experts\" " + std::to_string(*named) +
                   " and \"num_local_experts\" " + std::to_string(*local) +
                   " should agree");
  MoeSpec moe;
  moe.experts = named ? *named : local.value_or(defaults.experts);
  moe.active = config.optionalInteger("num_experts_per_tok", 1, kMaxExperts)
                   .value_or(defaults.active);
  if (moe.active > moe.experts)
    throw badInput(config.source() + ": \"num_experts_per_tok\" is " +
                   std::to_string(moe.active) + ", more than the " +
                   std::to_string(moe.experts) + " experts that exist");
  if (moe.experts * spec.layerCount() > kMaxAllExperts)
    throw badInput(config.source() + ": " + std::to_string(moe.experts) +
                   " experts in each of " + std::to_string(spec.layerCount()) +
                   " layers are more than the limit of " +
                   std::to_string(kMaxAllExperts) + " in all layers together");
  return moe;
}

void readSparseLayers(JsonObject& config, ModelSpec& spec) {
  const std::int64_t step =
      config.optionalInteger("decoder_sparse_step", 1, kMaxLayerNumber).value_or(1);
  for (std::int64_t i = 0; i < spec.layerCount(); ++i)
    spec.layers[static_cast<std::size_t>(i)].moe = (i + 1) % step == 0;
  for (const std::int64_t i : config.integers("mlp_only_layers", 0, kMaxLayerNumber))
    if (i < spec.layerCount()) spec.layers[static_cast<std::size_t>(i)].moe = false;
}

}  // namespace equipatch

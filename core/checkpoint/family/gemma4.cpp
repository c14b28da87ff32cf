// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.h"
#include "core/base/number_from.h"
#include "core/checkpoint/family/decoder_keys.h"

namespace equipatch {
namespace {

constexpr std::int64_t kMostHeadDim = 8192;
constexpr std::int64_t kMostHeads = 1024;
constexpr std::int64_t kMostExperts = 4096;
constexpr std::int64_t kMostExpertWidth = std::int64_t{1} << 20;

/// The last layer has no window, whatever "layer_types" says.
std::vector<bool> readSlidingLayers(JsonObject& config, std::size_t layers) {
  std::vector<bool> sliding(layers);
  for (std::size_t i = 0; i < layers; ++i) sliding[i] = (i + 1) % 6 != 0;
  sliding = readLayerTypes(config, layers).value_or(sliding);
  sliding.back() = false;
  return sliding;
}

/// Reads headDim and kvHeads of layers without a window. "num_global_key_value_heads"
/// applies only to layers whose keys also serve as values.
void readFullHeads(JsonObject& config, const std::vector<bool>& sliding,
                   ModelSpec& spec) {
  const std::int64_t headDim =
      config.optionalInteger("global_head_dim", 1, kMostHeadDim).value_or(512);
  const auto kvHeads =
      config.optionalInteger("num_global_key_value_heads", 1, kMostHeads);
  for (std::size_t i = 0; i < sliding.size(); ++i) {
    if (sliding[i]) continue;
    LayerSpec& layer = spec.layers[i];
    layer.headDim = headDim;
    if (layer.valueIsKey && kvHeads) layer.kvHeads = *kvHeads;
  }
}

/// Reads "per_layer_config": {"05": {"head_dim": …}}; transformers pads layer numbers
/// with zeros.
void readLayerOverrides(JsonObject& config, ModelSpec& spec) {
  const Json* table = config.member("per_layer_config");
  if (!table) return;
  const std::string source = config.source() + ": \"per_layer_config\"";
  if (!table->is_object()) throw badInput(source + " should be an object");
  for (const auto& [key, own] : table->items()) {
    const auto number = numberFrom<std::size_t>(key);
    if (!number || *number >= spec.layers.size())
      throw badInput(source + ": " + inQuotes(key) + " should be a layer from 0 to " +
                     std::to_string(spec.layers.size() - 1));
    JsonObject layer(own, source + " of layer " + std::to_string(*number));
    if (const auto size = layer.optionalInteger("head_dim", 1, kMostHeadDim))
      spec.layers[*number].headDim = *size;
    if (const auto heads = layer.optionalInteger("num_key_value_heads", 1, kMostHeads))
      spec.layers[*number].kvHeads = *heads;
    for (const std::string& unread : layer.unread())
      throw unsupported(layer.source() + ": \"" + unread +
                        "\" is not read; supported are head_dim and num_key_value_heads");
  }
}

/// From 5.15 on, transformers writes "per_layer_config". Even an empty or null
/// "per_layer_config" replaces the keys that `readFullHeads` reads.
void readHeads(JsonObject& config, const std::vector<bool>& sliding, ModelSpec& spec) {
  const bool keysAreValues = config.boolean("attention_k_eq_v", false);
  for (std::size_t i = 0; i < sliding.size(); ++i)
    spec.layers[i].valueIsKey = keysAreValues && !sliding[i];
  if (config.has("per_layer_config") || config.isExplicitNull("per_layer_config"))
    readLayerOverrides(config, spec);
  else
    readFullHeads(config, sliding, spec);
}

void checkHeads(const JsonObject& config, const ModelSpec& spec) {
  for (std::size_t i = 0; i < spec.layers.size(); ++i)
    if (spec.heads % spec.kvHeadsOf(spec.layers[i]) != 0)
      throw badInput(
          config.source() + ": the " + std::to_string(spec.heads) + " heads of layer " +
          std::to_string(i) + " should be a multiple of its " +
          std::to_string(spec.kvHeadsOf(spec.layers[i])) + " key and value heads");
}

/// @param otherwise the table that applies without "rope_parameters"
/// @param unread as for readRopeTable
RopeSpec readRopeOfKind(JsonObject& config, const char* kind, const Json& otherwise,
                        RopeDefaults defaults, std::vector<std::string>* unread) {
  const Json* tables = config.member("rope_parameters");
  const Json* own = nullptr;
  if (tables) {
    JsonObject kinds(*tables, config.source() + ": \"rope_parameters\"");
    own = kinds.member(kind);
    if (!own) throw badInput(kinds.source() + " should hold \"" + kind + "\"");
  }
  return readRopeTable(
      {own ? own : &otherwise, std::string("rope_parameters.") + kind, defaults}, config,
      unread);
}

void readRopeOfLayers(JsonObject& config, const std::vector<bool>& sliding,
                      ModelDescription& description) {
  ModelSpec& spec = description.spec;
  const Json plain = {{"rope_theta", 1e4}};
  const Json proportional = {{"rope_type", "proportional"},
                             {"partial_rotary_factor", 0.25},
                             {"rope_theta", 1e6}};
  std::map<std::pair<bool, std::int64_t>, RopeSpec> known;  // by kind and headDim
  bool hasRead[2] = {};                                     // by kind
  for (std::size_t i = 0; i < sliding.size(); ++i) {
    const std::int64_t headDim = spec.headDimOf(spec.layers[i]);
    const auto [rope, isNew] = known.try_emplace({sliding[i], headDim});
    if (isNew) {
      RopeDefaults defaults = ropeDefaults(spec, sliding[i] ? 1e4 : 1e6);
      defaults.partial = 1.0;
      defaults.headDim = headDim;
      // A hostile table may have very many unread keys: list them once per kind.
      const bool isFirst = !std::exchange(hasRead[sliding[i] ? 1 : 0], true);
      rope->second =
          readRopeOfKind(config, sliding[i] ? "sliding_attention" : "full_attention",
                         sliding[i] ? plain : proportional, defaults,
                         isFirst ? &description.unreadKeys : nullptr);
    }
    spec.layers[i].rope = rope->second;
  }
  const Json* tables = config.member("rope_parameters");
  if (!tables) return;
  JsonObject kinds(*tables, config.source() + ": \"rope_parameters\"");
  for (const char* kind : {"full_attention", "sliding_attention"}) kinds.member(kind);
  for (const std::string& member : kinds.unread())
    description.unreadKeys.push_back("rope_parameters." + member);
}

/// The last "num_kv_shared_layers" layers compute no keys and values. Each reads the keys
/// and values of the last earlier layer that computes them and is of the same kind (with
/// or without a window).
void readSharedKeys(JsonObject& config, const std::vector<bool>& sliding,
                    ModelDescription& description) {
  ModelSpec& spec = description.spec;
  const std::int64_t layers = spec.layerCount();
  const std::int64_t shared =
      config.optionalInteger("num_kv_shared_layers", 0, layers).value_or(0);
  const bool wide = config.boolean("use_double_wide_mlp", false);
  const std::int64_t first = layers - shared;
  for (std::int64_t i = first; i < layers; ++i) {
    const auto at = static_cast<std::size_t>(i);
    std::int64_t source = first - 1;
    while (source >= 0 && sliding[static_cast<std::size_t>(source)] != sliding[at])
      --source;
    if (source < 0)
      throw badInput(config.source() + ": \"num_kv_shared_layers\" " +
                     std::to_string(shared) + " leaves layer " + std::to_string(i) +
                     " no earlier layer of its kind whose keys it could read");
    LayerSpec& layer = spec.layers[at];
    const LayerSpec& read = spec.layers[static_cast<std::size_t>(source)];
    if (spec.headDimOf(read) != spec.headDimOf(layer) ||
        spec.kvHeadsOf(read) != spec.kvHeadsOf(layer))
      throw badInput(config.source() + ": layer " + std::to_string(i) +
                     " reads the keys of layer " + std::to_string(source) +
                     ", so that their heads should have the same size and number");
    layer.keysOf = source;
    layer.valueIsKey = false;
    if (wide) layer.mlpWidth = 2 * spec.mlpWidth;
    for (const char* unused : {"k_proj", "v_proj", "k_norm"})
      description.ignoredSuffixes.push_back(".layers." + std::to_string(i) +
                                            ".self_attn." + unused + ".weight");
  }
}

void readExperts(JsonObject& config, ModelSpec& spec, DecoderNames& names) {
  if (!config.boolean("enable_moe_block", false))
    return config.ignore({"num_experts", "top_k_experts", "moe_intermediate_size"});
  const std::int64_t experts = config.integer("num_experts", 1, kMostExperts);
  const std::int64_t active = config.integer("top_k_experts", 1, experts);
  spec.moe = readMoe(config, {.experts = experts, .active = active}, spec);
  spec.moe->expertWidth = config.integer("moe_intermediate_size", 1, kMostExpertWidth);
  spec.moe->besideDense = true;
  for (LayerSpec& layer : spec.layers) layer.moe = true;
  names.moe = {.layout = ExpertLayout::Halves,
               .router = "router.proj",
               .experts = "experts.",
               .expertsNorm = "pre_feedforward_layernorm_2",
               .densePostNorm = "post_feedforward_layernorm_1",
               .expertsPostNorm = "post_feedforward_layernorm_2",
               .routerScale = "router.scale",
               .expertScale = "router.per_expert_scale"};
}

/// "use_bidirectional_attention" may be "vision", which changes only the attention of
/// image tokens.
void refuseGemma4Variants(JsonObject& config) {
  const auto attention = config.optionalString("use_bidirectional_attention");
  if (attention && *attention != "vision")
    throw unsupported(config.source() + ": \"use_bidirectional_attention\" " +
                      inQuotes(*attention) + " is not computed; supported is vision");
}

}  // namespace

/// Gemma4ForCausalLM. Unlike Gemma 1 to 3, it stores a norm's scale m as such, not as
/// m − 1, and does not scale attention scores.
ModelDescription describeGemma4(JsonObject& config) {
  ModelDescription description = readDecoder(config, {.sizes = {.vocabulary = 262144,
                                                                .width = 2304,
                                                                .mlpWidth = 9216,
                                                                .layers = 30,
                                                                .heads = 8,
                                                                .kvHeads = 4,
                                                                .headDim = 256,
                                                                .maxPositions = 131072},
                                                      .tokens = {.begin = 2, .end = 1},
                                                      .tiedHead = true});
  ModelSpec& spec = description.spec;
  refuseGemma4Variants(config);
  spec.norm = {.eps = readNormEps(config, "rms_norm_eps", 1e-6),
               .scaleBeforeRounding = true};
  spec.queryKeyNorm = QueryKeyNorm::PerHead;
  spec.valueNorm = true;
  readAttentionBias(config, spec);
  spec.activation = readActivation(config, "hidden_activation", Activation::GeluTanh);
  spec.embeddingScale = std::sqrt(static_cast<double>(spec.width));
  spec.logitSoftcap = positiveNumber(config, "final_logit_softcapping");
  spec.layerScalar = true;
  spec.perLayerWidth =
      config.optionalInteger("hidden_size_per_layer_input", 0, kMostHeadDim)
          .value_or(config.isExplicitNull("hidden_size_per_layer_input") ? 0 : 256);
  const auto table =
      config.optionalInteger("vocab_size_per_layer_input", 1, kMaxPositions);
  if (spec.perLayerWidth > 0 && table && *table != spec.vocabulary)
    throw unsupported(config.source() + ": \"vocab_size_per_layer_input\" " +
                      std::to_string(*table) + " differs from \"vocab_size\" " +
                      std::to_string(spec.vocabulary) + ", which is not computed");
  const std::vector<bool> sliding = readSlidingLayers(config, spec.layers.size());
  readHeads(config, sliding, spec);
  checkHeads(config, spec);
  readRopeOfLayers(config, sliding, description);
  readSharedKeys(config, sliding, description);
  setWindows(sliding, readWindow(config, 512), spec);
  DecoderNames names;
  names.attentionPostNorm = "post_attention_layernorm";
  names.mlpNorm = "pre_feedforward_layernorm";
  names.mlpPostNorm = "post_feedforward_layernorm";
  spec.attentionPostNorm = spec.mlpPostNorm = true;
  readExperts(config, spec, names);
  const std::vector<std::string> unused = description.ignoredSuffixes;
  completeDecoder(config, names, description);
  description.ignoredSuffixes.insert(description.ignoredSuffixes.end(), unused.begin(),
                                     unused.end());
  return description;
}

/// Gemma4ForConditionalGeneration: the text part.
ModelDescription describeGemma4Multimodal(JsonObject& config) {
  config.ignore({"audio_token_id", "boa_token_id", "boi_token_id", "eoa_token_id",
                 "eoa_token_index", "eoi_token_id", "image_token_id", "video_token_id",
                 "vision_soft_tokens_per_image"});
  ModelDescription description = describeText(config, describeGemma4);
  description.schemes = {{.body = "model.language_model.", .head = ""},
                         {.body = "language_model.model.", .head = "language_model."},
                         {.body = "model.", .head = ""}};
  description.ignoredPrefixes = {"model.vision_tower.", "model.audio_tower.",
                                 "model.embed_vision.", "model.embed_audio."};
  return description;
}

}  // namespace equipatch

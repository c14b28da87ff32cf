// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/checkpoint/family/decoder_keys.h"
#include "core/checkpoint/family/vision_keys.h"

namespace equipatch {
namespace {

/// In Gemma, "gelu" means the tanh approximation of GELU, with which the models were
/// trained.
Activation readGemmaActivation(JsonObject& config) {
  const Activation named =
      readActivation(config, "hidden_activation",
                     readActivation(config, "hidden_act", Activation::GeluTanh));
  return named == Activation::GeluExact ? Activation::GeluTanh : named;
}

/// Reads what Gemma 1, 2 and 3 have in common.
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

/// From Gemma 2 on, "post_attention_layernorm" normalises the attention's output, not the
/// MLP's input as in Llama.
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

}  // namespace

/// GemmaForCausalLM: Gemma 1.
ModelDescription describeGemma(JsonObject& config) {
  ModelDescription description = readGemma(config, {.vocabulary = 256000,
                                                    .width = 3072,
                                                    .mlpWidth = 24576,
                                                    .layers = 28,
                                                    .heads = 16,
                                                    .kvHeads = 16,
                                                    .headDim = 256,
                                                    .maxPositions = 8192});
  readUniformLayers(config, {}, description);
  completeDecoder(config, {}, description);
  return description;
}

namespace {

constexpr double kAttentionSoftcap = 50.0;
constexpr double kLogitSoftcap = 30.0;

/// A null disables the cap; a missing key means the default.
std::optional<double> readSoftcap(JsonObject& config, const char* key, double fallback) {
  if (config.isExplicitNull(key)) return std::nullopt;
  return positiveNumber(config, key).value_or(fallback);
}

void readAlternatingWindows(JsonObject& config, ModelSpec& spec) {
  std::vector<bool> local(spec.layers.size());
  for (std::size_t i = 0; i < local.size(); ++i) local[i] = i % 2 == 0;
  setWindows(readLayerTypes(config, local.size()).value_or(local),
             readWindow(config, 4096), spec);
}

}  // namespace

ModelDescription describeGemma2(JsonObject& config) {
  ModelDescription description = readGemma(config, {.vocabulary = 256000,
                                                    .width = 2304,
                                                    .mlpWidth = 9216,
                                                    .layers = 26,
                                                    .heads = 8,
                                                    .kvHeads = 4,
                                                    .headDim = 256,
                                                    .maxPositions = 8192});
  ModelSpec& spec = description.spec;
  spec.attentionSoftcap =
      readSoftcap(config, "attn_logit_softcapping", kAttentionSoftcap);
  spec.logitSoftcap = readSoftcap(config, "final_logit_softcapping", kLogitSoftcap);
  readUniformLayers(config, {}, description);
  readQueryScale(config, spec);
  readAlternatingWindows(config, spec);
  completeDecoder(config, addPostNorms(spec), description);
  return description;
}

namespace {

constexpr std::int64_t kMaxPeriod = std::int64_t{1} << 31;

/// "rope_parameters" holds a table for each kind of layer. Without it, local layers
/// (those with a window) have a theta of their own and no scaling.
LayerRotations readRotations(JsonObject& config, ModelDescription& description) {
  const ModelSpec& spec = description.spec;
  const double global = positiveNumber(config, "rope_theta").value_or(1e6);
  const double local = positiveNumber(config, "rope_local_base_freq").value_or(1e4);
  return readLayerRotations(
      config, {.full = ropeDefaults(spec, global), .sliding = ropeDefaults(spec, local)},
      description.unreadKeys);
}

std::vector<bool> readLocalLayers(JsonObject& config, std::size_t layers) {
  const auto pattern = config.optionalInteger("sliding_window_pattern", 1, kMaxPeriod);
  const auto renamed = config.optionalInteger("_sliding_window_pattern", 1, kMaxPeriod);
  const auto period = static_cast<std::size_t>(pattern.value_or(renamed.value_or(6)));
  std::vector<bool> local(layers);
  for (std::size_t i = 0; i < layers; ++i) local[i] = (i + 1) % period != 0;
  return readLayerTypes(config, layers).value_or(local);
}

void readLayers(JsonObject& config, ModelDescription& description) {
  ModelSpec& spec = description.spec;
  const LayerRotations rotations = readRotations(config, description);
  const std::vector<bool> local = readLocalLayers(config, spec.layers.size());
  const auto window = readWindow(config, 4096);
  if (!window)
    throw unsupported(
        config.source() +
        ": \"sliding_window\" is null; expected the number of tokens that a "
        "local layer sees");
  for (std::size_t i = 0; i < spec.layers.size(); ++i)
    spec.layers[i].rope = local[i] ? rotations.sliding : rotations.full;
  setWindows(local, window, spec);
  readQueryScale(config, spec);
}

}  // namespace

/// Gemma3ForCausalLM: a text model, or the text part of a multimodal model.
ModelDescription describeGemma3(JsonObject& config) {
  ModelDescription description = readGemma(config, {.vocabulary = 262208,
                                                    .width = 2304,
                                                    .mlpWidth = 9216,
                                                    .layers = 26,
                                                    .heads = 8,
                                                    .kvHeads = 4,
                                                    .headDim = 256,
                                                    .maxPositions = 131072});
  ModelSpec& spec = description.spec;
  spec.queryKeyNorm = QueryKeyNorm::PerHead;
  spec.attentionSoftcap = positiveNumber(config, "attn_logit_softcapping");
  spec.logitSoftcap = positiveNumber(config, "final_logit_softcapping");
  readLayers(config, description);
  completeDecoder(config, addPostNorms(spec), description);
  return description;
}

/// Gemma3ForConditionalGeneration: a text model with a vision tower. The last name scheme
/// is that of Gemma3ForCausalLM.
ModelDescription describeGemma3Multimodal(JsonObject& config) {
  ModelDescription description = describeText(config, describeGemma3);
  description.schemes = {
      {.body = "model.language_model.", .head = "", .vision = "model."},
      {.body = "language_model.model.", .head = "language_model."},
      {.body = "model.", .head = ""}};
  description.ignoredPrefixes = {"vision_tower.", "multi_modal_projector.",
                                 "model.vision_tower.", "model.multi_modal_projector."};
  readVision(config, description);
  return description;
}

}  // namespace equipatch

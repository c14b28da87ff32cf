// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/base/error.h"
#include "core/checkpoint/family/decoder_keys.h"

namespace equipatch {
namespace {

constexpr std::int64_t kMostDeltaHeads = 1024;
constexpr std::int64_t kMostDeltaDim = 8192;
constexpr std::int64_t kMostTaps = 64;

std::vector<bool> readRecurrentLayers(JsonObject& config, std::size_t layers) {
  const auto interval = static_cast<std::size_t>(
      config.optionalInteger("full_attention_interval", 1, kMaxPositions).value_or(4));
  std::vector<bool> recurrent(layers);
  for (std::size_t i = 0; i < layers; ++i) recurrent[i] = (i + 1) % interval != 0;
  return readLayerTypes(config, layers, "linear_attention").value_or(recurrent);
}

DeltaNetSpec readDeltaNet(JsonObject& config) {
  const auto size = [&](const char* key, std::int64_t most, std::int64_t fallback) {
    return config.optionalInteger(key, 1, most).value_or(fallback);
  };
  const DeltaNetSpec delta{
      .keyHeads = size("linear_num_key_heads", kMostDeltaHeads, 16),
      .valueHeads = size("linear_num_value_heads", kMostDeltaHeads, 32),
      .keyDim = size("linear_key_head_dim", kMostDeltaDim, 128),
      .valueDim = size("linear_value_head_dim", kMostDeltaDim, 128),
      .kernel = size("linear_conv_kernel_dim", kMostTaps, 4)};
  if (delta.valueHeads % delta.keyHeads != 0)
    throw badInput(config.source() + ": \"linear_num_value_heads\" " +
                   std::to_string(delta.valueHeads) + " should be a multiple of the " +
                   std::to_string(delta.keyHeads) + " key heads");
  return delta;
}

/// Reads what the dense and the MoE model have in common, except the sizes.
void readQwen35Layers(JsonObject& config, ModelDescription& description) {
  ModelSpec& spec = description.spec;
  spec.norm = {.eps = readNormEps(config, "rms_norm_eps", 1e-6),
               .storedMinusOne = true,
               .scaleBeforeRounding = true};
  spec.queryKeyNorm = QueryKeyNorm::PerHead;
  spec.attentionGate = config.boolean("attn_output_gate", true);
  readAttentionBias(config, spec);
  spec.activation = readActivation(config, "hidden_act", Activation::Silu);
  readUniformLayers(config, {.partial = 0.25}, description);
  // M-RoPE equals RoPE here, because a text token has the same position in all sections.
  std::erase_if(description.unreadKeys, [](const std::string& key) {
    return key.ends_with(".mrope_section") || key.ends_with(".mrope_interleaved");
  });
  const std::vector<bool> recurrent = readRecurrentLayers(config, spec.layers.size());
  spec.deltaNet = readDeltaNet(config);
  for (std::size_t i = 0; i < recurrent.size(); ++i) {
    spec.layers[i].recurrent = recurrent[i];
    if (recurrent[i]) spec.layers[i].rope.reset();
  }
  // The first key is the dtype of the recurrent state, which this program always holds in
  // float32 or float64. The others belong to multi-token prediction (MTP), which is not
  // computed.
  config.ignore(
      {"mamba_ssm_dtype", "mtp_num_hidden_layers", "mtp_use_dedicated_embeddings"});
}

void ignoreVisionAndMtp(ModelDescription& description) {
  description.ignoredPrefixes = {"model.visual.", "mtp."};
}

constexpr SizeDefaults kQwen35Sizes{.vocabulary = 248320,
                                    .width = 4096,
                                    .mlpWidth = 12288,
                                    .layers = 32,
                                    .heads = 16,
                                    .kvHeads = 4,
                                    .headDim = 256,
                                    .maxPositions = 32768};

}  // namespace

/// Qwen3_5ForCausalLM: the dense model.
ModelDescription describeQwen35(JsonObject& config) {
  ModelDescription description =
      readDecoder(config, {.sizes = kQwen35Sizes, .tokens = {}});
  readQwen35Layers(config, description);
  if (!config.integers("mlp_only_layers", 0, kMaxPositions).empty())
    throw unsupported(config.source() +
                      ": \"mlp_only_layers\" is set, but the model has no experts");
  completeDecoder(config, {}, description);
  ignoreVisionAndMtp(description);
  return description;
}

namespace {

ModelDescription multimodalQwen35(JsonObject& config,
                                  ModelDescription (*describe)(JsonObject&)) {
  config.ignore({"image_token_id", "video_token_id", "vision_start_token_id",
                 "vision_end_token_id"});
  ModelDescription description = describeText(config, describe, {"tie_word_embeddings"});
  description.schemes = {{.body = "model.language_model.", .head = ""},
                         {.body = "model.", .head = ""}};
  ignoreVisionAndMtp(description);
  return description;
}

}  // namespace

/// Qwen3_5ForConditionalGeneration: the text part.
ModelDescription describeQwen35Multimodal(JsonObject& config) {
  return multimodalQwen35(config, describeQwen35);
}

/// Qwen3_5MoeForCausalLM. The gates of the active experts always sum to 1.
ModelDescription describeQwen35Moe(JsonObject& config) {
  SizeDefaults sizes = kQwen35Sizes;
  sizes.width = 2048;
  sizes.layers = 40;
  sizes.kvHeads = 2;
  ModelDescription description = readDecoder(config, {.sizes = sizes, .tokens = {}});
  ModelSpec& spec = description.spec;
  readQwen35Layers(config, description);
  spec.moe = readMoe(config, {.experts = 256, .active = 8}, spec);
  spec.moe->expertWidth = readInnerWidth(config, "moe_intermediate_size", 512);
  spec.moe->sharedWidth = readInnerWidth(config, "shared_expert_intermediate_size", 512);
  for (LayerSpec& layer : spec.layers) layer.moe = true;
  if (!config.integers("mlp_only_layers", 0, kMaxPositions).empty())
    throw unsupported(config.source() +
                      ": \"mlp_only_layers\" is set, but every layer has experts");
  DecoderNames names;
  names.moe.layout = ExpertLayout::Halves;
  completeDecoder(config, names, description);
  ignoreVisionAndMtp(description);
  return description;
}

/// Qwen3_5MoeForConditionalGeneration: the text part.
ModelDescription describeQwen35MoeMultimodal(JsonObject& config) {
  return multimodalQwen35(config, describeQwen35Moe);
}

}  // namespace equipatch

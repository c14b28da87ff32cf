// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/family/vision_keys.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/checkpoint/family/config_keys.h"

namespace equipatch {
namespace {

// Limits, above the sizes of all published towers.
constexpr std::int64_t kMostVisionWidth = 1 << 14;
constexpr std::int64_t kMostVisionInner = 1 << 16;
constexpr std::int64_t kMostVisionLayers = 256;
constexpr std::int64_t kMostImageSize = 1 << 13;
constexpr std::int64_t kMostPatches = 1 << 14;  // attention compares every pair
/// Limit of the numbers that are in memory at once: for each patch of an image, its pixel
/// values or its widest row of activations.
constexpr std::int64_t kMostPatchNumbers = 1 << 26;
constexpr std::int64_t kMostImageToken = std::int64_t{1} << 31;

/// Reads a token under either spelling of its key.
TokenId imageToken(JsonObject& config, const std::string& name, std::int64_t fallback) {
  const auto older = config.optionalInteger(name + "_index", 0, kMostImageToken);
  const auto newer = config.optionalInteger(name + "_id", 0, kMostImageToken);
  return TokenId(older.value_or(newer.value_or(fallback)));
}

/// Keys that never change what the tower computes.
void ignoreVisionKeys(JsonObject& config) {
  config.ignore({"architectures", "model_type", "dtype", "torch_dtype",
                 "num_image_tokens", "num_positions", "projection_dim",
                 "projector_hidden_act", "vision_use_head"});
  settleCommonKeys(config);
}

/// Why a tower of these sizes cannot be computed; empty: it can.
std::string sizesProblem(const VisionSpec& vision, std::int64_t channels) {
  const auto number = [](std::int64_t value) { return std::to_string(value); };
  if (channels != 3)
    return "its images have " + number(channels) + " channels instead of 3";
  if (vision.width % vision.heads != 0)
    return "its width " + number(vision.width) + " is not a multiple of its " +
           number(vision.heads) + " heads";
  if (vision.imageSize % vision.patch != 0)
    return "its image of " + number(vision.imageSize) +
           " pixels is not a multiple of its patch of " + number(vision.patch);
  const std::int64_t widest =
      std::max({vision.width, vision.mlpWidth, 3 * vision.patch * vision.patch});
  if (vision.patches() > kMostPatches || vision.patches() * widest > kMostPatchNumbers)
    return "its " + number(vision.patches()) + " patches of up to " + number(widest) +
           " numbers are more than the limits of " + number(kMostPatches) +
           " patches and " + number(kMostPatchNumbers) + " numbers in total";
  if (vision.pooledGrid() * vision.pooledGrid() != vision.tokens ||
      vision.grid() % vision.pooledGrid() != 0)
    return "its " + number(vision.grid()) + " × " + number(vision.grid()) +
           " patches cannot be averaged to " + number(vision.tokens) + " tokens";
  return {};
}

class VisionTensors {
 public:
  explicit VisionTensors(std::vector<TensorBinding>& tensors) : m_tensors(tensors) {}

  void add(const std::string& name, const std::string& stored,
           std::vector<std::int64_t> shape, TensorPart part = {}) {
    m_tensors.push_back({.name = name,
                         .checkpointName = stored,
                         .shape = std::move(shape),
                         .scope = TensorScope::Vision,
                         .part = part});
  }
  /// Adds the weight and the bias of a module.
  void pair(const std::string& name, const std::string& stored,
            const std::vector<std::int64_t>& shape) {
    add(name, stored + ".weight", shape);
    add(name + ".bias", stored + ".bias", {shape.front()});
  }

 private:
  std::vector<TensorBinding>& m_tensors;
};

std::vector<TensorBinding> visionTensors(const VisionSpec& vision,
                                         std::int64_t textWidth) {
  std::vector<TensorBinding> bindings;
  VisionTensors tensors(bindings);
  const std::string tower = "vision_tower.vision_model.";
  const std::int64_t V = vision.width, I = vision.mlpWidth;
  tensors.pair("vision.patch", tower + "embeddings.patch_embedding",
               {V, 3, vision.patch, vision.patch});
  tensors.add("vision.positions", tower + "embeddings.position_embedding.weight",
              {vision.patches(), V});
  for (std::int64_t layer = 0; layer < vision.layers; ++layer) {
    const std::string number = std::to_string(layer);
    const std::string name = "vision.layers." + number + ".";
    const std::string stored = tower + "encoder.layers." + number + ".";
    tensors.pair(name + "attn_norm", stored + "layer_norm1", {V});
    tensors.pair(name + "mlp_norm", stored + "layer_norm2", {V});
    for (const char* which : {"q", "k", "v"})
      tensors.pair(name + "W_" + which, stored + "self_attn." + which + "_proj", {V, V});
    tensors.pair(name + "W_o", stored + "self_attn.out_proj", {V, V});
    tensors.pair(name + "W_in", stored + "mlp.fc1", {I, V});
    tensors.pair(name + "W_down", stored + "mlp.fc2", {V, I});
  }
  tensors.pair("vision.norm", tower + "post_layernorm", {V});
  tensors.add("vision.pooled_norm", "multi_modal_projector.mm_soft_emb_norm.weight", {V});
  tensors.add("vision.projector", "multi_modal_projector.mm_input_projection_weight",
              {textWidth, V}, {.transposed = true});
  return bindings;
}

}  // namespace

void readVision(JsonObject& config, ModelDescription& description) {
  const Json* member = config.member("vision_config");
  const Json none = Json::object();
  JsonObject inner(member ? *member : none, config.source() + ": \"vision_config\"");
  const auto size = [&](const char* key, std::int64_t fallback, std::int64_t most) {
    return inner.optionalInteger(key, 1, most).value_or(fallback);
  };
  VisionSpec vision{
      .width = size("hidden_size", 768, kMostVisionWidth),
      .mlpWidth = size("intermediate_size", 3072, kMostVisionInner),
      .layers = size("num_hidden_layers", 12, kMostVisionLayers),
      .heads = size("num_attention_heads", 12, kMostVisionWidth),
      .imageSize = size("image_size", 224, kMostImageSize),
      .patch = size("patch_size", 16, kMostImageSize),
      .normEps = readNormEps(inner, "layer_norm_eps", 1e-6),
      .activation = readActivation(inner, "hidden_act", Activation::GeluTanh),
      .tokens =
          config.optionalInteger("mm_tokens_per_image", 1, kMostImageSize).value_or(256),
      .imageToken = imageToken(config, "image_token", 262144),
      .beginToken = imageToken(config, "boi_token", 255999),
      .endToken = imageToken(config, "eoi_token", 256000)};
  const std::int64_t channels = size("num_channels", 3, kMostVisionWidth);
  ignoreVisionKeys(inner);
  for (const std::string& key : inner.unread())
    description.unreadKeys.push_back("vision_config." + key);
  if (const std::string problem = sizesProblem(vision, channels); !problem.empty())
    vision.problem = config.source() + ": this model takes no images, because " + problem;
  else
    description.visionTensors = visionTensors(vision, description.spec.width);
  description.spec.vision = std::move(vision);
}

}  // namespace equipatch

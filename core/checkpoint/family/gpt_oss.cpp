// SPDX-License-Identifier: GPL-3.0-or-later
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/checkpoint/family/decoder_keys.h"

namespace equipatch {
namespace {

/// If config.json contains neither "rope_scaling" nor "rope_parameters", not even as
/// null, the configuration class in transformers uses yarn.
RopeSpec readGptOssRope(JsonObject& config, ModelDescription& description) {
  const RopeDefaults defaults = ropeDefaults(
      description.spec, positiveNumber(config, "rope_theta").value_or(150000.0));
  const bool stated = config.has("rope_scaling") || config.has("rope_parameters") ||
                      config.isExplicitNull("rope_scaling") ||
                      config.isExplicitNull("rope_parameters");
  if (stated) return readRope(config, defaults, description.unreadKeys);
  const Json extended = {
      {"rope_type", "yarn"}, {"factor", 32.0},
      {"beta_fast", 32.0},   {"beta_slow", 1.0},
      {"truncate", false},   {"original_max_position_embeddings", 4096}};
  return readRopeTable({&extended, "rope_scaling", defaults}, config,
                       &description.unreadKeys);
}

ExpertLayout readExpertLayout(JsonObject& config, ModelDescription& description) {
  const Json* table = config.member("quantization_config");
  if (!table) return ExpertLayout::Pairs;
  JsonObject quantised(*table, config.source() + ": \"quantization_config\"");
  const std::string method = quantised.string("quant_method");
  if (method != "mxfp4")
    throw unsupported(quantised.source() + ": \"quant_method\" " + inQuotes(method) +
                      " is not read; supported is mxfp4");
  quantised.ignore({"modules_to_not_convert", "dequantize"});
  for (const std::string& key : quantised.unread())
    description.unreadKeys.push_back("quantization_config." + key);
  const ModelSpec& spec = description.spec;
  // MXFP4 stores blocks of 32 values.
  if (spec.width % 32 != 0 || spec.mlpWidth % 32 != 0)
    throw badInput(config.source() +
                   ": MXFP4 needs widths that are multiples of 32, found " +
                   std::to_string(spec.width) + " and " + std::to_string(spec.mlpWidth));
  return ExpertLayout::PackedPairs;
}

}  // namespace

ModelDescription describeGptOss(JsonObject& config) {
  ModelDescription description = readDecoder(config, {.sizes = {.vocabulary = 201088,
                                                                .width = 2880,
                                                                .mlpWidth = 2880,
                                                                .layers = 36,
                                                                .heads = 64,
                                                                .kvHeads = 8,
                                                                .headDim = 64,
                                                                .maxPositions = 131072},
                                                      .tokens = {}});
  ModelSpec& spec = description.spec;
  spec.norm.eps = readNormEps(config, "rms_norm_eps", 1e-5);
  spec.queryKeyValueBias = config.boolean("attention_bias", true);
  spec.attentionOutBias = spec.queryKeyValueBias;
  spec.attentionSinks = true;
  // transformers computes x σ(1.702 x), whatever "hidden_act" says.
  spec.activation = Activation::QuickGelu;
  spec.gateLimit = positiveNumber(config, "swiglu_limit").value_or(7.0);
  setUniformLayers(readGptOssRope(config, description), spec);
  std::vector<bool> local(spec.layers.size());
  for (std::size_t i = 0; i < local.size(); ++i) local[i] = i % 2 == 0;
  setWindows(readLayerTypes(config, local.size()).value_or(local),
             readWindow(config, 128), spec);
  spec.moe = readMoe(config, {.experts = 128, .active = 4}, spec);
  spec.moe->expertWidth = spec.mlpWidth;
  spec.moe->bias = true;
  for (LayerSpec& layer : spec.layers) layer.moe = true;
  // "experts_per_token" repeats "num_experts_per_tok"; "initial_context_length" repeats
  // "original_max_position_embeddings".
  config.ignore({"hidden_act", "experts_per_token", "initial_context_length"});
  DecoderNames names;
  names.moe.layout = readExpertLayout(config, description);
  names.moe.router = "mlp.router";
  completeDecoder(config, names, description);
  return description;
}

}  // namespace equipatch

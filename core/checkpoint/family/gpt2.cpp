// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "core/checkpoint/family/decoder_keys.h"

namespace equipatch {
namespace {

/// Names that differ between GPT and GPT-2. The norms "ln_1" and "ln_2" precede attention
/// and MLP in GPT-2, and follow them in GPT.
struct Conv1dNames {
  std::string embed;
  std::string positions;
  std::string firstNorm;   ///< canonical name of ln_1
  std::string secondNorm;  ///< canonical name of ln_2
  std::string finalNorm;   ///< stored name; empty: there is none
};

/// GPT and GPT-2 store a layer's matrices as [inputs, outputs].
void addLayer(const ModelSpec& spec, const Conv1dNames& names, TensorList& tensors) {
  tensors.norm(names.firstNorm, "ln_1", {spec.width});
  for (std::int64_t part = 0; part < 3; ++part)
    tensors.linear(
        {.what = std::string(1, "qkv"[part]),
         .stored = "attn.c_attn",
         .outputs = spec.width,
         .inputs = spec.width,
         .bias = true,
         .part = {.transposed = true, .groups = 1, .parts = 3, .index = part}});
  tensors.linear({.what = "o",
                  .stored = "attn.c_proj",
                  .outputs = spec.width,
                  .inputs = spec.width,
                  .bias = true,
                  .part = {.transposed = true}});
  tensors.norm(names.secondNorm, "ln_2", {spec.width});
  tensors.linear({.what = "in",
                  .stored = "mlp.c_fc",
                  .outputs = spec.mlpWidth,
                  .inputs = spec.width,
                  .bias = true,
                  .part = {.transposed = true}});
  tensors.linear({.what = "down",
                  .stored = "mlp.c_proj",
                  .outputs = spec.width,
                  .inputs = spec.mlpWidth,
                  .bias = true,
                  .part = {.transposed = true}});
}

std::vector<TensorBinding> conv1dTensors(const ModelSpec& spec,
                                         const Conv1dNames& names) {
  TensorList tensors(spec, "h.");
  tensors.add("embed", names.embed + ".weight", {spec.vocabulary, spec.width});
  tensors.add("positions", names.positions + ".weight", {spec.maxPositions, spec.width});
  for (std::int64_t layer = 0; layer < spec.layerCount(); ++layer) {
    tensors.enterLayer(layer);
    addLayer(spec, names, tensors);
  }
  tensors.leaveLayers();
  if (spec.finalNorm) tensors.norm("final_norm", names.finalNorm, {spec.width});
  tensors.head("lm_head");
  return tensors.take();
}

void readAttentionScales(JsonObject& config, ModelSpec& spec) {
  const bool scaled = config.boolean("scale_attn_weights", true);
  const bool byDepth = config.boolean("scale_attn_by_inverse_layer_idx", false);
  // This key changes only the order and the rounding of operations, not the formula.
  config.ignore({"reorder_and_upcast_attn"});
  double depth = 0.0;
  for (LayerSpec& layer : spec.layers) {
    depth += 1.0;
    layer.attentionScale =
        (scaled ? 1.0 / std::sqrt(static_cast<double>(spec.headDim)) : 1.0) /
        (byDepth ? depth : 1.0);
  }
}

}  // namespace

/// GPT2LMHeadModel. Stored names may lack the prefix "transformer.", as in
/// openai-community/gpt2.
ModelDescription describeGpt2(JsonObject& config) {
  ModelDescription description =
      readDecoder(config, {.sizes = {.vocabulary = 50257,
                                     .width = 768,
                                     .layers = 12,
                                     .heads = 12,
                                     .maxPositions = 1024,
                                     .keys = kEarlySizeKeys},
                           .tokens = {.begin = 50256, .end = 50256},
                           .tiedHead = true});
  ModelSpec& spec = description.spec;
  spec.norm = biasedLayerNorm(readNormEps(config, "layer_norm_epsilon", 1e-5));
  spec.learnedPositions = true;
  spec.queryKeyValueBias = spec.attentionOutBias = spec.mlpBias = true;
  spec.mlpForm = MlpForm::Plain;
  spec.activation = readActivation(config, "activation_function", Activation::GeluTanh);
  readAttentionScales(config, spec);
  settleCommonKeys(config);
  description.tensors = conv1dTensors(spec, {.embed = "wte",
                                             .positions = "wpe",
                                             .firstNorm = "attn_norm",
                                             .secondNorm = "mlp_norm",
                                             .finalNorm = "ln_f"});
  description.schemes = {{.body = "transformer.", .head = ""}, {.body = "", .head = ""}};
  description.ignoredSuffixes = {".attn.bias", ".attn.masked_bias"};
  if (spec.tiedHead) description.ignoredSuffixes.emplace_back("lm_head.weight");
  return description;
}

namespace {

/// In GPT, "gelu" means the tanh approximation of GELU, as "gelu_new" does in GPT-2.
Activation readGptActivation(JsonObject& config) {
  if (config.optionalString("afn") == "gelu") return Activation::GeluTanh;
  return readActivation(config, "afn", Activation::GeluTanh);
}

}  // namespace

/// OpenAIGPTLMHeadModel, the first GPT: norms after the sums, as in Vaswani et al.
ModelDescription describeOpenaiGpt(JsonObject& config) {
  SizeKeys keys = kEarlySizeKeys;
  keys.mlpWidth = "";  // always four times the width
  ModelDescription description = readDecoder(config, {.sizes = {.vocabulary = 40478,
                                                                .width = 768,
                                                                .layers = 12,
                                                                .heads = 12,
                                                                .maxPositions = 512,
                                                                .keys = keys},
                                                      .tokens = {},
                                                      .tiedHead = true});
  ModelSpec& spec = description.spec;
  spec.norm = biasedLayerNorm(readNormEps(config, "layer_norm_epsilon", 1e-5));
  spec.attentionPreNorm = spec.mlpPreNorm = spec.finalNorm = false;
  spec.attentionPostNorm = spec.mlpPostNorm = true;
  spec.postNormPlace = PostNormPlace::Sum;
  spec.learnedPositions = true;
  spec.queryKeyValueBias = spec.attentionOutBias = spec.mlpBias = true;
  spec.mlpForm = MlpForm::Plain;
  spec.activation = readGptActivation(config);
  for (LayerSpec& layer : spec.layers)
    layer.attentionScale = 1.0 / std::sqrt(static_cast<double>(spec.headDim));
  config.ignore({"n_special", "predict_special_tokens"});
  settleCommonKeys(config);
  description.tensors = conv1dTensors(spec, {.embed = "tokens_embed",
                                             .positions = "positions_embed",
                                             .firstNorm = "attn_post_norm",
                                             .secondNorm = "mlp_post_norm",
                                             .finalNorm = {}});
  description.schemes = {{.body = "transformer.", .head = ""}, {.body = "", .head = ""}};
  description.ignoredSuffixes = {".attn.bias", "position_ids"};
  if (spec.tiedHead) description.ignoredSuffixes.emplace_back("lm_head.weight");
  return description;
}

}  // namespace equipatch

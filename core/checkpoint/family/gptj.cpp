// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/checkpoint/family/decoder_keys.h"
#include "core/checkpoint/family/decoder_tensors.h"

namespace equipatch {
namespace {

void addGptJLayer(const ModelSpec& spec, TensorList& tensors) {
  tensors.norm("attn_norm", "ln_1", {spec.width});
  for (const char* what : {"q", "k", "v"})
    tensors.linear({.what = what,
                    .stored = std::string("attn.") + what + "_proj",
                    .outputs = spec.width,
                    .inputs = spec.width});
  tensors.linear({.what = "o",
                  .stored = "attn.out_proj",
                  .outputs = spec.width,
                  .inputs = spec.width});
  tensors.linear({.what = "in",
                  .stored = "mlp.fc_in",
                  .outputs = spec.mlpWidth,
                  .inputs = spec.width,
                  .bias = true});
  tensors.linear({.what = "down",
                  .stored = "mlp.fc_out",
                  .outputs = spec.width,
                  .inputs = spec.mlpWidth,
                  .bias = true});
}

std::vector<TensorBinding> gptjTensors(const ModelSpec& spec) {
  TensorList tensors(spec, "h.");
  tensors.add("embed", "wte.weight", {spec.vocabulary, spec.width});
  for (std::int64_t layer = 0; layer < spec.layerCount(); ++layer) {
    tensors.enterLayer(layer);
    addGptJLayer(spec, tensors);
  }
  tensors.leaveLayers();
  tensors.norm("final_norm", "ln_f", {spec.width});
  tensors.head("lm_head");
  return tensors.take();
}

/// The first "rotary_dim" components of each head rotate, in interleaved pairs.
void readLayers(JsonObject& config, ModelSpec& spec) {
  if (config.isExplicitNull("rotary_dim") || !config.boolean("rotary", true))
    throw unsupported(config.source() +
                      ": \"rotary_dim\" is null or \"rotary\" is false, which is not "
                      "supported; expected an even number, as in GPT-J 6B (64)");
  const std::int64_t dims =
      config.optionalInteger("rotary_dim", 2, spec.headDim).value_or(64);
  if (dims > spec.headDim || dims % 2 != 0)
    throw badInput(config.source() + ": \"rotary_dim\" is " + std::to_string(dims) +
                   ", expected an even number of at most the head's " +
                   std::to_string(spec.headDim));
  for (LayerSpec& layer : spec.layers) {
    layer.rope = RopeSpec{.dims = dims, .pairs = RopePairs::Interleaved};
    layer.attentionScale = 1.0 / std::sqrt(static_cast<double>(spec.headDim));
  }
}

}  // namespace

/// GPTJForCausalLM: attention and MLP in parallel after one norm. The MLP and the LM head
/// have biases, attention has none.
ModelDescription describeGptj(JsonObject& config) {
  ModelDescription description =
      readDecoder(config, {.sizes = {.vocabulary = 50400,
                                     .width = 4096,
                                     .layers = 28,
                                     .heads = 16,
                                     .maxPositions = 2048,
                                     .keys = kEarlySizeKeys},
                           .tokens = {.begin = 50256, .end = 50256}});
  ModelSpec& spec = description.spec;
  spec.norm = biasedLayerNorm(readNormEps(config, "layer_norm_epsilon", 1e-5));
  spec.mlpBias = spec.headBias = true;
  spec.mlpPreNorm = false;
  spec.mlpInput = MlpInput::AttentionInput;
  spec.mlpForm = MlpForm::Plain;
  spec.activation = readActivation(config, "activation_function", Activation::GeluTanh);
  readLayers(config, spec);
  // GPT-J in transformers ignores this key and always scales the scores.
  config.ignore({"scale_attn_weights"});
  settleCommonKeys(config);
  description.tensors = gptjTensors(spec);
  description.schemes = {{.body = "transformer.", .head = ""}, {.body = "", .head = ""}};
  description.ignoredSuffixes = {".attn.bias", ".attn.masked_bias"};
  if (spec.tiedHead) description.ignoredSuffixes.emplace_back("lm_head.weight");
  return description;
}

}  // namespace equipatch

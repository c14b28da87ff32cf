#include <cmath>

#include "core/checkpoint/family/conv1d_tensors.h"
#include "core/checkpoint/family/decoder_keys.h"

namespace equipatch {
namespace {

void readScales(JsonObject& config, ModelSpec& spec) {
  const bool scaled = config.boolean("scale_attn_weights", true);
  const bool byDepth = config.boolean("scale_attn_by_inverse_layer_idx", false);
  // Only the order of operations: the numbers are the same.
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

/// GPT2LMHeadModel. Saved with the prefix "transformer." or, as on the hub, without.
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
  readScales(config, spec);
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

}  // namespace equipatch

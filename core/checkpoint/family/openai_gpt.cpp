#include <cmath>

#include "core/checkpoint/family/conv1d_tensors.h"
#include "core/checkpoint/family/decoder_keys.h"

namespace equipatch {
namespace {

/// Its "gelu" is what later families call "gelu_new".
Activation readGptActivation(JsonObject& config) {
  const std::string name = config.optionalString("afn").value_or("gelu");
  if (name == "gelu") return Activation::GeluTanh;
  if (name == "swish") return Activation::Silu;
  return readActivation(config, "afn", Activation::GeluTanh);
}

}  // namespace

/// OpenAIGPTLMHeadModel, the first GPT: norms behind the sums, as in Vaswani et al.
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

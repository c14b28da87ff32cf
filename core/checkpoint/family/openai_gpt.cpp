#include <cmath>

#include "core/checkpoint/family/conv1d_layer.h"
#include "core/checkpoint/family/decoder_keys.h"

namespace equipatch {
namespace {

/// Only embeddings come before the layers, and nothing behind them: the last layer ends
/// in a norm of its own.
std::vector<TensorBinding> gptTensors(const ModelSpec& spec) {
  TensorList tensors(spec, "h.");
  tensors.add("embed", "tokens_embed.weight", {spec.vocabulary, spec.width});
  tensors.add("positions", "positions_embed.weight", {spec.maxPositions, spec.width});
  for (std::int64_t layer = 0; layer < spec.layerCount(); ++layer) {
    tensors.enterLayer(layer);
    addConv1dLayer(spec, {.first = "attn_post_norm", .second = "mlp_post_norm"}, tensors);
  }
  tensors.leaveLayers();
  tensors.head("lm_head");
  return tensors.take();
}

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
  description.tensors = gptTensors(spec);
  description.schemes = {{.body = "transformer.", .head = ""}, {.body = "", .head = ""}};
  description.ignoredSuffixes = {".attn.bias", "position_ids"};
  if (spec.tiedHead) description.ignoredSuffixes.emplace_back("lm_head.weight");
  return description;
}

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/family/decoder_keys.h"

namespace equipatch {

/// Starcoder2ForCausalLM: sequential blocks with LayerNorms, an MLP without a gate and,
/// unless "use_bias" is false, a bias in every linear layer of a block.
ModelDescription describeStarcoder2(JsonObject& config) {
  ModelDescription description =
      readDecoder(config, {.sizes = {.vocabulary = 49152,
                                     .width = 3072,
                                     .mlpWidth = 12288,
                                     .layers = 30,
                                     .heads = 24,
                                     .kvHeads = 2,
                                     .maxPositions = 4096},
                           .tokens = {.begin = 50256, .end = 50256},
                           .tiedHead = true});
  ModelSpec& spec = description.spec;
  spec.norm = biasedLayerNorm(readNormEps(config, "norm_epsilon", 1e-5));
  const bool bias = config.boolean("use_bias", true);
  spec.queryKeyValueBias = spec.attentionOutBias = spec.mlpBias = bias;
  spec.mlpForm = MlpForm::Plain;
  spec.activation = readActivation(config, "hidden_act", Activation::GeluTanh);
  readUniformLayers(config, {}, description);
  setWindows(std::vector<bool>(spec.layers.size(), true),
             readWindow(config, std::nullopt), spec);
  // The first two are GPT-2's names for "hidden_act" and "norm_epsilon". Starcoder2 does
  // not read them.
  config.ignore({"activation_function", "layer_norm_epsilon", "residual_dropout",
                 "attention_softmax_in_fp32", "scale_attention_softmax_in_fp32"});
  DecoderNames names;
  names.in = "mlp.c_fc";
  names.down = "mlp.c_proj";
  completeDecoder(config, names, description);
  return description;
}

}  // namespace equipatch

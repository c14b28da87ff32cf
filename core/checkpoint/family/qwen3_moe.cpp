#include "core/checkpoint/family/decoder_keys.h"
#include "core/checkpoint/family/layer_keys.h"

namespace equipatch {

/// Qwen3MoeForCausalLM: Qwen3 with a mixture of experts and no shared expert.
ModelDescription describeQwen3Moe(JsonObject& config) {
  ModelDescription description = readDecoder(config, {.sizes = {.vocabulary = 151936,
                                                                .width = 2048,
                                                                .mlpWidth = 6144,
                                                                .layers = 24,
                                                                .heads = 32,
                                                                .kvHeads = 4,
                                                                .maxPositions = 32768},
                                                      .tokens = {}});
  ModelSpec& spec = description.spec;
  spec.norm.eps = readNormEps(config, "rms_norm_eps", 1e-6);
  spec.queryKeyNorm = QueryKeyNorm::PerHead;
  readAttentionBias(config, spec);
  spec.activation = readActivation(config, "hidden_act", Activation::Silu);
  readUniformLayers(config, {}, description);
  config.ignore({"max_window_layers", "sliding_window"});
  if (config.boolean("use_sliding_window", false))  // then in every layer
    setWindows(std::vector<bool>(spec.layers.size(), true), readWindow(config, 4096),
               spec);
  spec.moe = readMoe(config, {.experts = 128, .active = 8}, spec);
  spec.moe->expertWidth = readInnerWidth(config, "moe_intermediate_size", 768);
  spec.moe->normaliseGates = config.boolean("norm_topk_prob", false);
  readSparseLayers(config, spec);
  completeDecoder(config, {}, description);
  return description;
}

}  // namespace equipatch

#include "core/checkpoint/family/decoder_keys.h"
#include "core/checkpoint/family/layer_keys.h"

namespace equipatch {

/// Qwen3ForCausalLM (dense): a norm on each head's query and key, heads of 128 whatever
/// the width.
ModelDescription describeQwen3(JsonObject& config) {
  ModelDescription description = readDecoder(config, {.sizes = {.vocabulary = 151936,
                                                                .width = 4096,
                                                                .mlpWidth = 22016,
                                                                .layers = 32,
                                                                .heads = 32,
                                                                .kvHeads = 32,
                                                                .headDim = 128,
                                                                .maxPositions = 32768},
                                                      .tokens = {}});
  ModelSpec& spec = description.spec;
  spec.norm.eps = readNormEps(config, "rms_norm_eps", 1e-6);
  spec.queryKeyNorm = QueryKeyNorm::PerHead;
  readAttentionBias(config, spec);
  spec.activation = readActivation(config, "hidden_act", Activation::Silu);
  readUniformLayers(config, {}, description);
  readSwitchedWindow(config, spec);
  completeDecoder(config, {}, description);
  return description;
}

}  // namespace equipatch

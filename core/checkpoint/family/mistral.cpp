#include "core/checkpoint/family/decoder_keys.h"
#include "core/checkpoint/family/layer_keys.h"

namespace equipatch {

/// MistralForCausalLM: Llama with a window over all layers, which is 4096 where the key
/// is missing and none where it is null.
ModelDescription describeMistral(JsonObject& config) {
  ModelDescription description = readDecoder(config, {.sizes = {.vocabulary = 32000,
                                                                .width = 4096,
                                                                .mlpWidth = 14336,
                                                                .layers = 32,
                                                                .heads = 32,
                                                                .kvHeads = 8,
                                                                .maxPositions = 131072},
                                                      .tokens = {.begin = 1, .end = 2}});
  ModelSpec& spec = description.spec;
  spec.norm.eps = readNormEps(config, "rms_norm_eps", 1e-6);
  spec.activation = readActivation(config, "hidden_act", Activation::Silu);
  readUniformLayers(config, {}, description);
  setWindows(std::vector<bool>(spec.layers.size(), true), readWindow(config, 4096), spec);
  completeDecoder(config, {}, description);
  return description;
}

}  // namespace equipatch

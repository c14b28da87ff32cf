#include "core/checkpoint/family/decoder_keys.h"
#include "core/checkpoint/family/gemma_keys.h"
#include "core/checkpoint/family/layer_keys.h"

namespace equipatch {

/// GemmaForCausalLM: the first Gemma, with Llama's norms.
ModelDescription describeGemma(JsonObject& config) {
  ModelDescription description = readGemma(config, {.vocabulary = 256000,
                                                    .width = 3072,
                                                    .mlpWidth = 24576,
                                                    .layers = 28,
                                                    .heads = 16,
                                                    .kvHeads = 16,
                                                    .headDim = 256,
                                                    .maxPositions = 8192});
  readUniformLayers(config, {}, description);
  completeDecoder(config, {}, description);
  return description;
}

}  // namespace equipatch

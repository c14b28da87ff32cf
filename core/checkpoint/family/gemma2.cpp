#include "core/checkpoint/family/decoder_keys.h"
#include "core/checkpoint/family/gemma_keys.h"
#include "core/checkpoint/family/layer_keys.h"

namespace equipatch {
namespace {

constexpr double kAttentionSoftcap = 50.0;
constexpr double kLogitSoftcap = 30.0;

/// A null switches the cap off, a missing key leaves the default.
std::optional<double> readSoftcap(JsonObject& config, const char* key, double fallback) {
  if (config.isExplicitNull(key)) return std::nullopt;
  return positiveNumber(config, key).value_or(fallback);
}

/// Every other layer from the first on sees a window only, unless "layer_types" says
/// otherwise.
void readWindowsInTurn(JsonObject& config, ModelSpec& spec) {
  std::vector<bool> local(spec.layers.size());
  for (std::size_t i = 0; i < local.size(); ++i) local[i] = i % 2 == 0;
  setWindows(readLayerTypes(config, local.size()).value_or(local),
             readWindow(config, 4096), spec);
}

}  // namespace

/// Gemma2ForCausalLM: four norms, soft caps, alternating windows.
/// "post_attention_layernorm" is here a norm of the attention's output.
ModelDescription describeGemma2(JsonObject& config) {
  ModelDescription description = readGemma(config, {.vocabulary = 256000,
                                                    .width = 2304,
                                                    .mlpWidth = 9216,
                                                    .layers = 26,
                                                    .heads = 8,
                                                    .kvHeads = 4,
                                                    .headDim = 256,
                                                    .maxPositions = 8192});
  ModelSpec& spec = description.spec;
  spec.attentionSoftcap =
      readSoftcap(config, "attn_logit_softcapping", kAttentionSoftcap);
  spec.logitSoftcap = readSoftcap(config, "final_logit_softcapping", kLogitSoftcap);
  readUniformLayers(config, {}, description);
  readQueryScale(config, spec);
  readWindowsInTurn(config, spec);
  completeDecoder(config, addPostNorms(spec), description);
  return description;
}

}  // namespace equipatch

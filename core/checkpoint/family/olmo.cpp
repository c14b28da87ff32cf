// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "core/checkpoint/family/decoder_keys.h"

namespace equipatch {
namespace {

/// Reads what OLMo 2 and 3 have in common. Their blocks have post-norms but no pre-norms;
/// queries and keys are each normalised over all heads at once.
ModelDescription readOlmo(JsonObject& config) {
  ModelDescription description = readDecoder(config, {.sizes = {.vocabulary = 50304,
                                                                .width = 4096,
                                                                .mlpWidth = 11008,
                                                                .layers = 32,
                                                                .heads = 32,
                                                                .maxPositions = 2048},
                                                      .tokens = {.end = 50279}});
  ModelSpec& spec = description.spec;
  // Unlike Llama's, this norm multiplies by its scale before it rounds.
  spec.norm = {.eps = readNormEps(config, "rms_norm_eps", 1e-5),
               .scaleBeforeRounding = true};
  spec.queryKeyNorm = QueryKeyNorm::WholeWidth;
  spec.attentionPreNorm = false;
  spec.attentionPostNorm = true;
  spec.mlpPreNorm = false;
  spec.mlpPostNorm = true;
  readAttentionBias(config, spec);
  spec.activation = readActivation(config, "hidden_act", Activation::Silu);
  return description;
}

void completeOlmo(JsonObject& config, ModelDescription& description) {
  DecoderNames names;
  names.attentionPostNorm = "post_attention_layernorm";
  names.mlpPostNorm = "post_feedforward_layernorm";
  completeDecoder(config, names, description);
}

}  // namespace

/// Olmo2ForCausalLM.
ModelDescription describeOlmo2(JsonObject& config) {
  ModelDescription description = readOlmo(config);
  readUniformLayers(config, {}, description);
  completeOlmo(config, description);
  return description;
}

/// Olmo3ForCausalLM. By default, every fourth layer has no window. Scaling of the rotary
/// embedding applies only to layers without a window, unless "rope_parameters" holds a
/// table for each kind of layer.
ModelDescription describeOlmo3(JsonObject& config) {
  ModelDescription description = readOlmo(config);
  ModelSpec& spec = description.spec;
  std::vector<bool> local(spec.layers.size());
  for (std::size_t i = 0; i < local.size(); ++i) local[i] = (i + 1) % 4 != 0;
  local = readLayerTypes(config, local.size()).value_or(local);
  const RopeDefaults defaults =
      ropeDefaults(spec, positiveNumber(config, "rope_theta").value_or(500000.0));
  const LayerRotations rotations =
      readLayerRotations(config, {.full = defaults, .sliding = defaults, .flat = true},
                         description.unreadKeys);
  for (std::size_t i = 0; i < local.size(); ++i) {
    spec.layers[i].rope = local[i] ? rotations.sliding : rotations.full;
    spec.layers[i].attentionScale = 1.0 / std::sqrt(static_cast<double>(spec.headDim));
  }
  setWindows(local, readWindow(config, 4096), spec);
  completeOlmo(config, description);
  return description;
}

}  // namespace equipatch

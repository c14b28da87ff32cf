#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/checkpoint/family/config_keys.h"
#include "core/checkpoint/family/decoder_tensors.h"
#include "core/checkpoint/family/rope_keys.h"

namespace equipatch {
namespace {

constexpr std::int64_t kMaxWindow = std::int64_t{1} << 31;

struct Rotations {
  RopeSpec global;
  RopeSpec local;
};

/// Local layers have a base of their own and no scaling. "rope_parameters" (newer files)
/// holds a table for each kind of layer instead.
Rotations readRotations(JsonObject& config, std::vector<std::string>& unread) {
  const double globalTheta = positiveNumber(config, "rope_theta").value_or(1e6);
  const double localTheta = positiveNumber(config, "rope_local_base_freq").value_or(1e4);
  const Json* scaling = config.member("rope_scaling");
  const Json* parameters = config.member("rope_parameters");
  if (!parameters)
    return {readRopeTable({scaling, "rope_scaling", globalTheta}, config, unread),
            readRopeTable({nullptr, "", localTheta}, config, unread)};
  if (scaling)
    throw badInput(config.source() +
                   ": has both \"rope_scaling\" and \"rope_parameters\", expected one");
  JsonObject tables(*parameters, config.source() + ": \"rope_parameters\"");
  const Json* global = tables.member("full_attention");
  const Json* local = tables.member("sliding_attention");
  if (!global || !local)
    throw badInput(tables.source() +
                   " should hold \"full_attention\" and \"sliding_attention\"");
  for (const std::string& member : tables.unread())
    unread.push_back("rope_parameters." + member);
  return {readRopeTable({global, "rope_parameters.full_attention", globalTheta}, config,
                        unread),
          readRopeTable({local, "rope_parameters.sliding_attention", localTheta}, config,
                        unread)};
}

/// Which layers see a window only: "layer_types" says so layer by layer, otherwise every
/// layer but each sliding_window_pattern-th.
std::vector<bool> readLocalLayers(JsonObject& config, std::size_t layers) {
  const auto pattern = config.optionalInteger("sliding_window_pattern", 1, kMaxWindow);
  const auto renamed = config.optionalInteger("_sliding_window_pattern", 1, kMaxWindow);
  const auto period = static_cast<std::size_t>(pattern.value_or(renamed.value_or(6)));
  std::vector<bool> local(layers);
  const Json* types = config.member("layer_types");
  if (!types) {
    for (std::size_t i = 0; i < layers; ++i) local[i] = (i + 1) % period != 0;
    return local;
  }
  if (!types->is_array() || types->size() != layers)
    throw badInput(config.source() + ": \"layer_types\" should be a list of " +
                   std::to_string(layers) + ", one for each layer");
  for (std::size_t i = 0; i < layers; ++i) {
    const Json& type = (*types)[i];
    if (type != "sliding_attention" && type != "full_attention")
      throw unsupported(config.source() + ": \"layer_types\" of layer " +
                        std::to_string(i) +
                        " is neither sliding_attention nor full_attention, the two that "
                        "are supported");
    local[i] = type == "sliding_attention";
  }
  return local;
}

void readLayers(JsonObject& config, ModelDescription& description) {
  std::vector<LayerSpec>& layers = description.spec.layers;
  const Rotations rotations = readRotations(config, description.unreadKeys);
  const std::vector<bool> local = readLocalLayers(config, layers.size());
  if (config.isExplicitNull("sliding_window"))
    throw unsupported(
        config.source() +
        ": \"sliding_window\" is null; expected the number of tokens that a "
        "local layer sees");
  const std::int64_t window =
      config.optionalInteger("sliding_window", 1, kMaxWindow).value_or(4096);
  for (std::size_t i = 0; i < layers.size(); ++i) {
    layers[i].rope = local[i] ? rotations.local : rotations.global;
    if (local[i]) layers[i].window = window;
  }
}

}  // namespace

/// Gemma3ForCausalLM: the text models, and what is saved in their layout.
ModelDescription describeGemma3(JsonObject& config) {
  ModelDescription description;
  ModelSpec& spec = description.spec;
  readSizes(config,
            {.vocabulary = 262208,
             .width = 2304,
             .mlpWidth = 9216,
             .layers = 26,
             .heads = 8,
             .kvHeads = 4,
             .headDim = 256,
             .maxPositions = 131072},
            spec);
  readTokens(config, {.begin = 2, .end = 1}, spec);
  spec.storedDType = readStoredDType(config);

  spec.norm = {.eps = readNormEps(config, 1e-6),
               .storedMinusOne = true,
               .scaleBeforeRounding = true};
  spec.queryKeyNorm = QueryKeyNorm::PerHead;
  spec.attentionPostNorm = true;
  spec.mlpPostNorm = true;
  spec.queryKeyValueBias = config.boolean("attention_bias", false);
  spec.attentionOutBias = spec.queryKeyValueBias;
  spec.activation = readActivation(config, "hidden_activation", Activation::GeluTanh);
  // Files that say "gelu" mean the tanh form: the models were trained with it.
  if (spec.activation == Activation::GeluExact) spec.activation = Activation::GeluTanh;
  const double attentionScale =
      1.0 / std::sqrt(positiveNumber(config, "query_pre_attn_scalar").value_or(256.0));
  spec.embeddingScale = std::sqrt(static_cast<double>(spec.width));
  spec.attentionSoftcap = positiveNumber(config, "attn_logit_softcapping");
  spec.logitSoftcap = positiveNumber(config, "final_logit_softcapping");
  spec.tiedHead = config.boolean("tie_word_embeddings", true);
  readLayers(config, description);
  for (LayerSpec& layer : spec.layers) {
    layer.rope->dims = spec.headDim;
    layer.attentionScale = attentionScale;
  }

  settleCommonKeys(config);
  description.tensors =
      decoderTensors(spec, {.attentionNorm = "input_layernorm",
                            .attentionPostNorm = "post_attention_layernorm",
                            .mlpNorm = "pre_feedforward_layernorm",
                            .mlpPostNorm = "post_feedforward_layernorm"});
  description.ignoredSuffixes = decoderIgnoredSuffixes(spec);
  return description;
}

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/family/config_keys.h"

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.h"

namespace equipatch {
namespace {

// Above the sizes of all published models, and small enough that no product of two
// overflows.
constexpr std::int64_t kMaxVocabulary = std::int64_t{1} << 24;
constexpr std::int64_t kMaxWidth = std::int64_t{1} << 17;
constexpr std::int64_t kMaxMlpWidth = std::int64_t{1} << 20;
constexpr std::int64_t kMaxLayers = 1024;
constexpr std::int64_t kMaxHeads = 1024;
constexpr std::int64_t kMaxHeadDim = 8192;
constexpr double kMinEps = 1e-30;  // must not underflow in float32

struct ActivationName {
  std::string_view name;
  Activation activation;
};

constexpr std::array<ActivationName, 9> kActivations{{
    {"silu", Activation::Silu},
    {"swish", Activation::Silu},
    {"gelu", Activation::GeluExact},
    {"gelu_python", Activation::GeluExact},
    {"gelu_new", Activation::GeluTanh},
    {"gelu_fast", Activation::GeluTanh},
    {"gelu_pytorch_tanh", Activation::GeluTanh},
    {"quick_gelu", Activation::QuickGelu},
    {"relu", Activation::Relu},
}};

std::int64_t size(JsonObject& config, const char* key, std::int64_t fallback,
                  std::int64_t high) {
  return config.optionalInteger(key, 1, high).value_or(fallback);
}

/// Keys that change the computation, each with its neutral value.
const std::vector<std::pair<const char*, Json>>& computationKeys() {
  static const std::vector<std::pair<const char*, Json>> keys{
      {"quantization_config", nullptr},
      {"compression_config", nullptr},
      {"is_encoder_decoder", false},
      {"add_cross_attention", false},
      {"use_bidirectional_attention", false},
      {"is_causal", true},
      {"alibi", false},
      {"attention_bias", false},
      {"qkv_bias", false},
      {"mlp_bias", false},
      {"lm_head_bias", false},
      {"use_qk_norm", false},
      {"qk_layernorm", false},
      {"clip_qkv", nullptr},
      {"use_mrope", false},
      {"partial_rotary_factor", 1.0},
      {"num_experts", nullptr},
      {"num_local_experts", nullptr},
      {"n_shared_experts", nullptr},
      {"n_group", nullptr},
      {"scoring_func", "softmax"},
      {"topk_method", "greedy"},
      {"routed_scaling_factor", 1.0},
      {"first_k_dense_replace", 0},
      {"use_sliding_window", false},
      {"apply_residual_connection_post_layernorm", false},
      {"scale_attn_weights", true},
      {"mlp_type", "default"},
      {"norm_type", "layer_norm"},
      {"full_attn_mod", 1},
      {"interpolate_factor", 1},
      {"swiglu_alpha", 1.702},
  };
  return keys;
}

void refuseUnread(JsonObject& config) {
  const std::vector<std::string> unread = config.unread();
  for (const auto& [key, harmless] : computationKeys()) {
    if (std::find(unread.begin(), unread.end(), key) == unread.end()) continue;
    const Json* value = config.member(key);
    if (value && *value != harmless)
      throw unsupported(config.source() + ": \"" + key + "\" is " +
                        (value->is_structured() ? "set"
                         : value->is_string()   ? inQuotes(value->get<std::string>())
                                                : value->dump()) +
                        ", which changes the computation in a way that is not supported");
  }
}

std::optional<TokenId> defaultToken(JsonObject& config, const char* key,
                                    std::optional<std::int64_t> id,
                                    std::int64_t vocabulary) {
  if (config.isExplicitNull(key) || !id || *id >= vocabulary) return std::nullopt;
  return TokenId(*id);
}

void readHeads(JsonObject& config, const SizeDefaults& defaults, ModelSpec& spec) {
  const SizeKeys& keys = defaults.keys;
  spec.heads = size(config, keys.heads, defaults.heads, kMaxHeads);
  spec.kvHeads = defaults.kvHeads.value_or(spec.heads);
  // An explicit null means one key and value head per query head, whatever the default.
  if (*keys.kvHeads && config.isExplicitNull(keys.kvHeads)) spec.kvHeads = spec.heads;
  if (*keys.kvHeads) spec.kvHeads = size(config, keys.kvHeads, spec.kvHeads, kMaxHeads);
  if (spec.heads % spec.kvHeads != 0)
    throw badInput(config.source() + ": \"" + keys.heads + "\" " +
                   std::to_string(spec.heads) + " should be a multiple of the " +
                   std::to_string(spec.kvHeads) + " key and value heads");

  const auto headDim =
      *keys.headDim ? config.optionalInteger(keys.headDim, 1, kMaxHeadDim) : std::nullopt;
  if (!headDim && !defaults.headDim && spec.width % spec.heads != 0)
    throw badInput(config.source() + ": \"" + keys.width + "\" " +
                   std::to_string(spec.width) + " should be a multiple of \"" +
                   keys.heads + "\" " + std::to_string(spec.heads) +
                   (*keys.headDim ? " where \"head_dim\" is not given" : ""));
  spec.headDim = headDim ? *headDim : defaults.headDim.value_or(spec.width / spec.heads);
  if (spec.headDim > kMaxHeadDim)
    throw badInput(config.source() + ": the heads are " + std::to_string(spec.headDim) +
                   " wide, expected at most " + std::to_string(kMaxHeadDim));
}

}  // namespace

void readSizes(JsonObject& config, const SizeDefaults& defaults, ModelSpec& spec) {
  const SizeKeys& keys = defaults.keys;
  spec.vocabulary = size(config, "vocab_size", defaults.vocabulary, kMaxVocabulary);
  spec.width = size(config, keys.width, defaults.width, kMaxWidth);
  const std::int64_t inner = defaults.mlpWidth > 0 ? defaults.mlpWidth : 4 * spec.width;
  spec.mlpWidth = *keys.mlpWidth ? readInnerWidth(config, keys.mlpWidth, inner) : inner;
  spec.maxPositions = size(config, keys.positions, defaults.maxPositions, kMaxPositions);
  spec.layers.resize(
      static_cast<std::size_t>(size(config, keys.layers, defaults.layers, kMaxLayers)));
  readHeads(config, defaults, spec);
}

std::int64_t readInnerWidth(JsonObject& config, const char* key, std::int64_t fallback) {
  return size(config, key, fallback, kMaxMlpWidth);
}

void readTokens(JsonObject& config, TokenDefaults defaults, ModelSpec& spec) {
  const std::int64_t last = spec.vocabulary - 1;
  if (const auto begin = config.optionalInteger("bos_token_id", 0, last))
    spec.beginOfSequence = TokenId(*begin);
  else
    spec.beginOfSequence =
        defaultToken(config, "bos_token_id", defaults.begin, spec.vocabulary);

  spec.endOfSequence.clear();
  for (const std::int64_t id : config.integers("eos_token_id", 0, last))
    spec.endOfSequence.emplace_back(id);
  if (config.has("eos_token_id")) return;
  if (const auto end =
          defaultToken(config, "eos_token_id", defaults.end, spec.vocabulary))
    spec.endOfSequence = {*end};
}

DType readStoredDType(JsonObject& config) {
  const auto former = config.optionalString("torch_dtype");
  const auto name = config.optionalString("dtype");
  if (name && former && *name != *former)
    throw badInput(config.source() + ": \"dtype\" " + inQuotes(*name) +
                   " and \"torch_dtype\" " + inQuotes(*former) + " should agree");
  if (!name && !former) return DType::F32;
  const auto dtype = dtypeFromTorchName(name ? *name : *former);
  if (!dtype || !isFloating(*dtype))
    throw unsupported(config.source() + ": dtype " + inQuotes(name ? *name : *former) +
                      " is not supported for computing; supported are float64, float32, "
                      "bfloat16 and float16");
  return *dtype;
}

std::optional<double> positiveNumber(JsonObject& config, const std::string& key) {
  const auto value = config.optionalNumber(key);
  // The reciprocal of a subnormal value may overflow.
  if (value && !(*value >= std::numeric_limits<double>::min()))
    throw badInput(config.source() + ": \"" + key +
                   "\" should be positive, at least 2.3e-308, found " +
                   config.member(key)->dump());
  return value;
}

double readNormEps(JsonObject& config, const std::string& key, double fallback) {
  const double eps = config.optionalNumber(key).value_or(fallback);
  if (!(eps >= kMinEps && eps <= 1.0))
    throw badInput(config.source() + ": \"" + key +
                   "\" should lie between 1e-30 and 1, found " +
                   config.member(key)->dump());
  return eps;
}

Activation readActivation(JsonObject& config, const std::string& key,
                          Activation fallback) {
  const auto name = config.optionalString(key);
  if (!name) return fallback;
  const auto found =
      std::find_if(kActivations.begin(), kActivations.end(),
                   [&](const ActivationName& known) { return known.name == *name; });
  if (found == kActivations.end())
    throw unsupported(config.source() + ": \"" + key + "\" " + inQuotes(*name) +
                      " is not computed; supported are silu, gelu, gelu_new, "
                      "gelu_pytorch_tanh, quick_gelu and relu");
  return found->activation;
}

void settleCommonKeys(JsonObject& config) {
  config.ignore({"_attn_implementation",
                 "_attn_implementation_autoset",
                 "_name_or_path",
                 "attention_dropout",
                 "attention_probs_dropout_prob",
                 "attn_implementation",
                 "attn_pdrop",
                 "auto_map",
                 "cache_implementation",
                 "chunk_size_feed_forward",
                 "classifier_dropout",
                 "do_sample",
                 "embd_pdrop",
                 "embedding_dropout",
                 "finetuning_task",
                 "gradient_checkpointing",
                 "hidden_dropout",
                 "hidden_dropout_prob",
                 "id2label",
                 "initializer_range",
                 "is_decoder",
                 "label2id",
                 "max_length",
                 "model_max_length",
                 "n_ctx",
                 "output_attentions",
                 "output_hidden_states",
                 "output_router_logits",
                 "pad_token_id",
                 "prefix",
                 "pretraining_tp",
                 "resid_pdrop",
                 "return_dict",
                 "router_aux_loss_coef",
                 "router_jitter_noise",
                 "sep_token_id",
                 "summary_activation",
                 "summary_first_dropout",
                 "summary_proj_to_labels",
                 "summary_type",
                 "summary_use_proj",
                 "task_specific_params",
                 "temperature",
                 "tokenizer_class",
                 "top_k",
                 "top_p",
                 "torchscript",
                 "transformers_version",
                 "unsloth_fixed",
                 "unsloth_version",
                 "use_cache"});
  refuseUnread(config);
}

}  // namespace equipatch

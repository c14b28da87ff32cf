#include "core/checkpoint/family/config_keys.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/base/error.h"

namespace equipatch {
namespace {

// Above everything published, and small enough that no product of two overflows.
constexpr std::int64_t kMaxVocabulary = std::int64_t{1} << 24;
constexpr std::int64_t kMaxWidth = std::int64_t{1} << 17;
constexpr std::int64_t kMaxMlpWidth = std::int64_t{1} << 20;
constexpr std::int64_t kMaxLayers = 1024;
constexpr std::int64_t kMaxHeads = 1024;
constexpr std::int64_t kMaxHeadDim = 8192;
constexpr std::int64_t kMaxPositions = std::int64_t{1} << 31;
constexpr double kMinEps = 1e-30;  // its float32 value must not vanish

struct ActivationName {
  std::string_view name;
  Activation activation;
};

constexpr std::array<ActivationName, 6> kActivations{{
    {"silu", Activation::Silu},
    {"swish", Activation::Silu},
    {"gelu", Activation::GeluExact},
    {"gelu_new", Activation::GeluTanh},
    {"gelu_fast", Activation::GeluTanh},
    {"gelu_pytorch_tanh", Activation::GeluTanh},
}};

std::int64_t size(JsonObject& config, const char* key, std::int64_t fallback,
                  std::int64_t high) {
  return config.optionalInteger(key, 1, high).value_or(fallback);
}

void refuseUnless(JsonObject& config, const char* key, const Json& harmless) {
  const Json* value = config.member(key);
  if (value && *value != harmless)
    throw unsupported(config.source() + ": \"" + key + "\" is " +
                      (value->is_structured() ? "set" : value->dump()) +
                      ", which changes the computation in a way that is not supported");
}

std::optional<TokenId> defaultToken(JsonObject& config, const char* key, std::int64_t id,
                                    std::int64_t vocabulary) {
  if (config.isExplicitNull(key) || id >= vocabulary) return std::nullopt;
  return TokenId(id);
}

}  // namespace

void readSizes(JsonObject& config, const SizeDefaults& defaults, ModelSpec& spec) {
  spec.vocabulary = size(config, "vocab_size", defaults.vocabulary, kMaxVocabulary);
  spec.width = size(config, "hidden_size", defaults.width, kMaxWidth);
  spec.mlpWidth = size(config, "intermediate_size", defaults.mlpWidth, kMaxMlpWidth);
  spec.heads = size(config, "num_attention_heads", defaults.heads, kMaxHeads);
  spec.kvHeads = size(config, "num_key_value_heads",
                      defaults.kvHeads.value_or(spec.heads), kMaxHeads);
  spec.maxPositions =
      size(config, "max_position_embeddings", defaults.maxPositions, kMaxPositions);
  spec.layers.resize(static_cast<std::size_t>(
      size(config, "num_hidden_layers", defaults.layers, kMaxLayers)));
  if (spec.heads % spec.kvHeads != 0)
    throw badInput(config.source() + ": \"num_attention_heads\" " +
                   std::to_string(spec.heads) +
                   " should be a multiple of \"num_key_value_heads\" " +
                   std::to_string(spec.kvHeads));

  const auto headDim = config.optionalInteger("head_dim", 1, kMaxHeadDim);
  if (!headDim && !defaults.headDim && spec.width % spec.heads != 0)
    throw badInput(config.source() + ": \"hidden_size\" " + std::to_string(spec.width) +
                   " should be a multiple of \"num_attention_heads\" " +
                   std::to_string(spec.heads) + " where \"head_dim\" is not given");
  spec.headDim = headDim ? *headDim : defaults.headDim.value_or(spec.width / spec.heads);
  if (spec.headDim % 2 != 0 || spec.headDim > kMaxHeadDim)
    throw badInput(config.source() + ": the heads are " + std::to_string(spec.headDim) +
                   " wide, expected an even number of at most " +
                   std::to_string(kMaxHeadDim) + " because positions rotate pairs");
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
                      " is not computed in; supported are float64, float32, bfloat16 and "
                      "float16");
  return *dtype;
}

std::optional<double> positiveNumber(JsonObject& config, const std::string& key) {
  const auto value = config.optionalNumber(key);
  if (value && !(*value > 0.0))
    throw badInput(config.source() + ": \"" + key + "\" should be positive, found " +
                   config.member(key)->dump());
  return value;
}

double readNormEps(JsonObject& config, double fallback) {
  const double eps = config.optionalNumber("rms_norm_eps").value_or(fallback);
  if (!(eps >= kMinEps && eps <= 1.0))
    throw badInput(config.source() +
                   ": \"rms_norm_eps\" should lie from 1e-30 to 1, found " +
                   config.member("rms_norm_eps")->dump());
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
                      " is not computed; supported are silu, gelu, gelu_new and "
                      "gelu_pytorch_tanh");
  return found->activation;
}

void settleCommonKeys(JsonObject& config) {
  // Training, bookkeeping, and how a framework happens to run the model.
  config.ignore({"_attn_implementation", "_attn_implementation_autoset", "_name_or_path",
                 "attention_dropout", "attn_implementation", "cache_implementation",
                 "hidden_dropout", "initializer_range", "output_attentions",
                 "output_hidden_states", "pad_token_id", "pretraining_tp", "return_dict",
                 "tokenizer_class", "transformers_version", "unsloth_fixed",
                 "unsloth_version", "use_cache"});
  refuseUnless(config, "quantization_config", nullptr);
  refuseUnless(config, "compression_config", nullptr);
  refuseUnless(config, "partial_rotary_factor", 1.0);
  refuseUnless(config, "is_encoder_decoder", false);
  refuseUnless(config, "add_cross_attention", false);
  refuseUnless(config, "use_bidirectional_attention", false);
}

}  // namespace equipatch

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/json.h"
#include "core/checkpoint/spec.h"

namespace equipatch {

/// More than any model is made for; products with it still fit.
constexpr std::int64_t kMaxPositions = std::int64_t{1} << 31;

/// What config.json calls the sizes; "" for one that the family derives.
struct SizeKeys {
  const char* width = "hidden_size";
  const char* mlpWidth = "intermediate_size";
  const char* layers = "num_hidden_layers";
  const char* heads = "num_attention_heads";
  const char* kvHeads = "num_key_value_heads";
  const char* headDim = "head_dim";
  const char* positions = "max_position_embeddings";
};

/// What they were called before the names above were common.
inline constexpr SizeKeys kEarlySizeKeys{.width = "n_embd",
                                         .mlpWidth = "n_inner",
                                         .layers = "n_layer",
                                         .heads = "n_head",
                                         .kvHeads = "",
                                         .headDim = "",
                                         .positions = "n_positions"};

/// What a family's configuration class gives for keys that config.json omits.
struct SizeDefaults {
  std::int64_t vocabulary = 0;
  std::int64_t width = 0;
  std::int64_t mlpWidth = 0;  ///< 0: four times the width
  std::int64_t layers = 0;
  std::int64_t heads = 0;
  std::optional<std::int64_t> kvHeads;  ///< absent: as many as heads
  std::optional<std::int64_t> headDim;  ///< absent: width / heads
  std::int64_t maxPositions = 0;
  SizeKeys keys;
};

/// Fills vocabulary, width, mlpWidth, heads, kvHeads, headDim, maxPositions and as many
/// default layers as there are.
/// @throws Error{BadInput} when a size is beyond every existing model or they disagree.
void readSizes(JsonObject& config, const SizeDefaults& defaults, ModelSpec& spec);

/// A width within a feed-forward, such as an expert's.
std::int64_t readInnerWidth(JsonObject& config, const char* key, std::int64_t fallback);

struct TokenDefaults {
  std::optional<std::int64_t> begin;
  std::optional<std::int64_t> end;
};

/// bos_token_id and eos_token_id (one or a list); null means none.
void readTokens(JsonObject& config, TokenDefaults defaults, ModelSpec& spec);

/// "dtype" or, as it was called before, "torch_dtype"; float32 when neither is there.
DType readStoredDType(JsonObject& config);

/// @param key such as "rms_norm_eps" or "layer_norm_eps".
double readNormEps(JsonObject& config, const std::string& key, double fallback);

/// Nothing when absent or null. @throws Error{BadInput} unless positive.
std::optional<double> positiveNumber(JsonObject& config, const std::string& key);

/// @throws Error{Unsupported} naming key and value for an activation that is not
/// computed.
Activation readActivation(JsonObject& config, const std::string& key,
                          Activation fallback);

/// Passes over keys that never change the computation, and
/// @throws Error{Unsupported} for those that would and that the family has not read
/// (quantisation, biases, partial rotation, …).
void settleCommonKeys(JsonObject& config);

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/json.h"
#include "core/checkpoint/spec.h"

namespace equipatch {

/// More positions than any published model has; its square does not overflow.
constexpr std::int64_t kMaxPositions = std::int64_t{1} << 31;

/// Keys of the sizes in config.json; "" for a size that the family derives.
struct SizeKeys {
  const char* width = "hidden_size";
  const char* mlpWidth = "intermediate_size";
  const char* layers = "num_hidden_layers";
  const char* heads = "num_attention_heads";
  const char* kvHeads = "num_key_value_heads";
  const char* headDim = "head_dim";
  const char* positions = "max_position_embeddings";
};

/// The size keys of GPT, GPT-2 and GPT-J.
inline constexpr SizeKeys kEarlySizeKeys{.width = "n_embd",
                                         .mlpWidth = "n_inner",
                                         .layers = "n_layer",
                                         .heads = "n_head",
                                         .kvHeads = "",
                                         .headDim = "",
                                         .positions = "n_positions"};

/// Values of a family's configuration class for sizes that config.json omits.
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

/// Sets vocabulary, width, mlpWidth, heads, kvHeads, headDim and maxPositions, and
/// creates the layers with the default values of LayerSpec.
/// @throws Error{BadInput} when a size exceeds its limit, which is above all published
///         models, or when two sizes disagree.
void readSizes(JsonObject& config, const SizeDefaults& defaults, ModelSpec& spec);

/// The inner width of an MLP, such as an expert's.
std::int64_t readInnerWidth(JsonObject& config, const char* key, std::int64_t fallback);

struct TokenDefaults {
  std::optional<std::int64_t> begin;
  std::optional<std::int64_t> end;
};

/// Reads "bos_token_id" and "eos_token_id" (one id or a list). Null means no token. An
/// absent key means the default, or no token if the default is outside the vocabulary.
/// @param spec its vocabulary has been read
/// @throws Error{BadInput} for an id outside the vocabulary
void readTokens(JsonObject& config, TokenDefaults defaults, ModelSpec& spec);

/// "dtype", formerly "torch_dtype"; float32 when both are absent.
/// @throws Error{BadInput} when they disagree; Error{Unsupported} for other dtypes than
///         float64, float32, bfloat16 and float16, such as float8_e4m3fn
DType readStoredDType(JsonObject& config);

/// @param key such as "rms_norm_eps" or "layer_norm_eps".
/// @throws Error{BadInput} for a value outside 1e-30 to 1
double readNormEps(JsonObject& config, const std::string& key, double fallback);

/// A number, or nothing when the key is absent or null.
/// @throws Error{BadInput} unless the number is positive and not subnormal.
std::optional<double> positiveNumber(JsonObject& config, const std::string& key);

/// @throws Error{Unsupported} naming key and value when the activation is not computed.
Activation readActivation(JsonObject& config, const std::string& key,
                          Activation fallback);

/// Marks keys that never change the computation as read.
/// @throws Error{Unsupported} when a key that changes the computation is still unread and
///         not at its neutral value (quantisation, biases, partial rotary, …).
void settleCommonKeys(JsonObject& config);

}  // namespace equipatch

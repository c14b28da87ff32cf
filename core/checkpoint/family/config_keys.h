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

/// Keys of the sizes in config.json; "": the family has no key for this size.
struct SizeKeys {
  const char* width = "hidden_size";
  const char* mlpWidth = "intermediate_size";
  const char* layers = "num_hidden_layers";
  const char* heads = "num_attention_heads";
  const char* kvHeads = "num_key_value_heads";
  const char* headDim = "head_dim";
  const char* positions = "max_position_embeddings";
};

/// The size keys of GPT-2 and GPT-J. GPT has the same except "n_inner".
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

/// Sets the sizes of the spec and creates its layers with LayerSpec's default values.
/// @throws Error{BadInput} when a size is out of range or two sizes do not fit together.
void readSizes(JsonObject& config, const SizeDefaults& defaults, ModelSpec& spec);

/// Reads the inner width of an MLP, such as an expert's.
std::int64_t readInnerWidth(JsonObject& config, const char* key, std::int64_t fallback);

struct TokenDefaults {
  std::optional<std::int64_t> begin;
  std::optional<std::int64_t> end;
};

/// Reads "bos_token_id" (one id) and "eos_token_id" (one id or a list). Null means no
/// token, and so does an absent key whose default is outside the vocabulary.
/// @param spec the vocabulary must be set
/// @throws Error{BadInput} for an id outside the vocabulary
void readTokens(JsonObject& config, TokenDefaults defaults, ModelSpec& spec);

/// "dtype", formerly "torch_dtype"; float32 when both are absent.
/// @throws Error{BadInput} when the keys disagree; Error{Unsupported} for other dtypes
///         than float64, float32, bfloat16 and float16
DType readStoredDType(JsonObject& config);

/// @throws Error{BadInput} for a value outside 1e-30 to 1
double readNormEps(JsonObject& config, const std::string& key, double fallback);

/// A number, or nothing when the key is absent or null.
/// @throws Error{BadInput} unless the number is positive and not subnormal.
std::optional<double> positiveNumber(JsonObject& config, const std::string& key);

/// @throws Error{Unsupported} for an activation that cannot be computed.
Activation readActivation(JsonObject& config, const std::string& key,
                          Activation fallback);

/// Marks as read the keys that never change the computation. To be called after the
/// family has read its own keys.
/// @throws Error{Unsupported} when a known key that changes the computation is still
///         unread and not at its neutral value.
void settleCommonKeys(JsonObject& config);

}  // namespace equipatch

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/json.h"
#include "core/checkpoint/spec.h"

namespace equipatch {

/// What a family's configuration class gives for keys that config.json omits.
struct SizeDefaults {
  std::int64_t vocabulary = 0;
  std::int64_t width = 0;
  std::int64_t mlpWidth = 0;
  std::int64_t layers = 0;
  std::int64_t heads = 0;
  std::optional<std::int64_t> kvHeads;  ///< absent: as many as heads
  std::optional<std::int64_t> headDim;  ///< absent: width / heads
  std::int64_t maxPositions = 0;
};

/// Fills vocabulary, width, mlpWidth, heads, kvHeads, headDim, maxPositions and as many
/// default layers as there are.
/// @throws Error{BadInput} when a size is beyond every existing model or they disagree.
void readSizes(JsonObject& config, const SizeDefaults& defaults, ModelSpec& spec);

struct TokenDefaults {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

/// bos_token_id and eos_token_id (one or a list); null means none.
void readTokens(JsonObject& config, TokenDefaults defaults, ModelSpec& spec);

/// "dtype" or, as it was called before, "torch_dtype"; float32 when neither is there.
DType readStoredDType(JsonObject& config);

double readNormEps(JsonObject& config, double fallback);

/// Nothing when absent or null. @throws Error{BadInput} unless positive.
std::optional<double> positiveNumber(JsonObject& config, const std::string& key);

/// @throws Error{Unsupported} naming key and value for an activation that is not
/// computed.
Activation readActivation(JsonObject& config, const std::string& key,
                          Activation fallback);

/// Passes over keys that never change the computation, and
/// @throws Error{Unsupported} for those that would (quantisation, partial rotation, …).
void settleCommonKeys(JsonObject& config);

}  // namespace equipatch

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/checkpoint/spec.h"

namespace equipatch {

/// What a rotation is where config.json does not say otherwise.
struct RopeDefaults {
  double theta = 10000.0;
  /// How much of a head rotates. Absent: all of it, and config.json must not say
  /// otherwise.
  std::optional<double> partial;
  RopePairs pairs = RopePairs::HalfSplit;
  std::int64_t headDim = 0;
  std::int64_t maxPositions = 0;
};

/// The defaults for a spec whose sizes have been read.
RopeDefaults ropeDefaults(const ModelSpec& spec, double theta = 10000.0);

/// A member of config.json that says how positions rotate: "rope_scaling" (its "type" or
/// "rope_type", "factor", …) or its successor "rope_parameters", which may hold
/// "rope_theta" and "partial_rotary_factor" too.
struct RopeTable {
  const Json* table = nullptr;  ///< nullptr: plain rotation
  std::string key;
  RopeDefaults defaults;
};

/// @param unread gets "key.member" for every member that nothing reads.
/// @throws Error{Unsupported} naming key and value for a scaling that is not computed.
RopeSpec readRopeTable(const RopeTable& source, JsonObject& config,
                       std::vector<std::string>& unread);

/// One rotation for all layers: rope_theta with rope_scaling, or rope_parameters.
/// @throws Error{BadInput} when both are there and say different things.
RopeSpec readRope(JsonObject& config, RopeDefaults defaults,
                  std::vector<std::string>& unread);

}  // namespace equipatch

#pragma once

#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/checkpoint/spec.h"

namespace equipatch {

/// A member of config.json that says how positions rotate: "rope_scaling" (its "type" or
/// "rope_type", "factor", …) or its successor "rope_parameters", which may hold
/// "rope_theta" too.
struct RopeTable {
  const Json* table = nullptr;  ///< nullptr: plain rotation
  std::string key;
  double theta = 10000.0;  ///< where the table does not say
};

/// @param unread gets "key.member" for every member that nothing reads.
/// @throws Error{Unsupported} naming key and value for a scaling that is not computed.
RopeSpec readRopeTable(const RopeTable& source, JsonObject& config,
                       std::vector<std::string>& unread);

/// One rotation for all layers: rope_theta with rope_scaling, or rope_parameters.
/// @throws Error{BadInput} when both are there and say different things.
RopeSpec readRope(JsonObject& config, double defaultTheta,
                  std::vector<std::string>& unread);

}  // namespace equipatch

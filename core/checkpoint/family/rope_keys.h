#pragma once

#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/checkpoint/spec.h"

namespace equipatch {

/// Reads the table under `key`: "rope_scaling" (its "type" or "rope_type", "factor", …)
/// or its successor "rope_parameters", which may hold "rope_theta" too.
/// @param table nullptr, as `JsonObject::member` gives it for an absent key, means plain
///        rotation with base `theta`.
/// @param unread gets "key.member" for every member that nothing reads.
/// @throws Error{Unsupported} naming key and value for a scaling that is not computed.
struct RopeTable {
  const Json* table = nullptr;
  std::string key;
  double theta = 10000.0;  ///< where the table does not say
};
RopeSpec readRopeTable(const RopeTable& source, JsonObject& config,
                       std::vector<std::string>& unread);

/// One rotation for all layers: rope_theta with rope_scaling, or rope_parameters.
/// @throws Error{BadInput} when both are there and say different things.
RopeSpec readRope(JsonObject& config, double defaultTheta,
                  std::vector<std::string>& unread);

}  // namespace equipatch

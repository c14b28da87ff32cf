#include "core/checkpoint/family/stated_architecture.h"

#include <nlohmann/json.hpp>

#include "core/base/error.h"

namespace equipatch {

std::string statedArchitecture(const Json& config) {
  if (!config.is_object()) return {};
  JsonObject object(config, "config.json");
  const Json* names = object.member("architectures");
  if (names && names->is_array() && !names->empty() && names->front().is_string())
    return names->front().get<std::string>();
  const Json* type = object.member("model_type");
  return type && type->is_string() ? type->get<std::string>() : std::string();
}

}  // namespace equipatch

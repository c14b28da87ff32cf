#include "core/checkpoint/spec.h"

namespace equipatch {

std::string layerWeight(std::int64_t layer, const std::string& weight) {
  return "layers." + std::to_string(layer) + "." + weight;
}

}  // namespace equipatch

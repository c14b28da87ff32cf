#include "core/checkpoint/spec.h"

#include <algorithm>

namespace equipatch {

std::string layerWeight(std::int64_t layer, const std::string& weight) {
  return "layers." + std::to_string(layer) + "." + weight;
}

std::vector<std::int64_t> storedShape(const TensorBinding& binding) {
  std::vector<std::int64_t> shape = binding.shape;
  shape.front() *= binding.part.parts;
  if (binding.part.transposed) std::reverse(shape.begin(), shape.end());
  return shape;
}

}  // namespace equipatch

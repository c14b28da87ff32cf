// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/spec.h"

#include <algorithm>

namespace equipatch {

bool ModelSpec::sharesKeys() const {
  return std::ranges::any_of(
      layers, [](const LayerSpec& layer) { return layer.keysOf.has_value(); });
}

std::string layerWeight(std::int64_t layer, const std::string& weight) {
  return "layers." + std::to_string(layer) + "." + weight;
}

std::vector<std::int64_t> storedShape(const TensorBinding& binding) {
  std::vector<std::int64_t> shape = binding.shape;
  if (!binding.scalesName.empty()) shape.back() /= kMxfp4BlockValues;
  shape.front() = shape.front() / binding.part.span * binding.part.parts;
  if (binding.part.transposed) std::reverse(shape.begin(), shape.end());
  if (binding.part.slices > 0) shape.insert(shape.begin(), binding.part.slices);
  return shape;
}

namespace {

const char* roleName(MatrixRole role) {
  switch (role) {
    case MatrixRole::Gate:
      return "gate";
    case MatrixRole::Up:
      return "up";
    case MatrixRole::In:
      return "in";
    case MatrixRole::Down:
      return "down";
    case MatrixRole::Router:
      return "router";
    case MatrixRole::SharedRouter:
      break;
  }
  return "shared_router";
}

}  // namespace

std::string matrixName(MatrixId id) {
  const bool shared = id.expert == MatrixId::kShared;
  const bool beside = id.expert == MatrixId::kBeside;
  return std::string(shared ? "shared_" : beside ? "dense_" : "") + roleName(id.role);
}

std::string weightName(MatrixId id) {
  const std::string matrix = std::string("W_") + roleName(id.role);
  if (id.expert == MatrixId::kShared) return "shared." + matrix;
  if (id.expert == MatrixId::kDense || id.expert == MatrixId::kBeside) return matrix;
  return std::string("experts.").append(std::to_string(id.expert)) + "." + matrix;
}

}  // namespace equipatch

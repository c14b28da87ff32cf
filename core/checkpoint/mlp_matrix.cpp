#include "core/checkpoint/mlp_matrix.h"

namespace equipatch {
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
  return std::string(id.expert == MatrixId::kShared ? "shared_" : "") + roleName(id.role);
}

std::string weightName(MatrixId id) {
  const std::string matrix = std::string("W_") + roleName(id.role);
  if (id.expert == MatrixId::kShared) return "shared." + matrix;
  if (id.expert == MatrixId::kDense) return matrix;
  return std::string("experts.").append(std::to_string(id.expert)) + "." + matrix;
}

}  // namespace equipatch

#pragma once

#include <cstdint>
#include <string>

namespace equipatch {

/// What a matrix of the feed-forward does.
enum class MatrixRole {
  Gate,
  Up,
  In,
  Down,
  Router,        ///< of the experts of a MoE block
  SharedRouter,  ///< the sigmoid gate of the expert that every token uses
};

/// Which of a block's feed-forward matrices.
struct MatrixId {
  static constexpr std::int64_t kDense = -1;   ///< not one of several experts
  static constexpr std::int64_t kShared = -2;  ///< the expert that every token uses

  MatrixRole role = MatrixRole::Gate;
  std::int64_t expert = kDense;

  bool operator==(const MatrixId&) const = default;
};

/// What records call it: "gate", "up", "in", "down", "router", "shared_router";
/// "shared_gate", …; all experts of a MoE block share "gate", "up", "down".
std::string matrixName(MatrixId id);

/// Its canonical weight name: "W_gate", "experts.3.W_gate", "shared.W_down".
std::string weightName(MatrixId id);

}  // namespace equipatch

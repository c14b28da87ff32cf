#include "core/patch/theorems/input_control.h"

#include <utility>

namespace equipatch {

std::optional<RankOne> inputControl(Vector missing, const Vector& z) {
  const double square = z.squaredNorm();
  if (square == 0.0) return std::nullopt;
  return RankOne{std::move(missing), z / square};
}

}  // namespace equipatch

#include "core/patch/theorems/output_matrix.h"

namespace equipatch {

std::optional<RankOne> outputMatrix(const Vector& missing, const Vector& h) {
  const double square = h.squaredNorm();
  if (square == 0.0) return std::nullopt;
  return RankOne{missing, h / square};
}

}  // namespace equipatch

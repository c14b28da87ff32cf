#include "core/patch/input_control.h"

namespace equipatch {

std::optional<RankOne> inputControl(const Vector& target, const Vector& product,
                                    const Vector& z) {
  const double square = z.squaredNorm();
  if (square == 0.0) return std::nullopt;
  return RankOne{target - product, z / square};
}

}  // namespace equipatch

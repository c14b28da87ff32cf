#include "core/patch/input_control.h"

#include <utility>

namespace equipatch {

std::optional<RankOne> inputControl(const Vector& target, Vector product,
                                    const Vector& z) {
  const double square = z.squaredNorm();
  if (square == 0.0) return std::nullopt;
  product = target - product;
  return RankOne{std::move(product), z / square};
}

}  // namespace equipatch

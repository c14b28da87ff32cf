#include "core/patch/theorems/norm_size.h"

#include <cmath>

namespace equipatch {

NormSize::NormSize(const Vector& q, double eps) {
  const double rms = std::sqrt(q.squaredNorm() / static_cast<double>(q.size()));
  if (rms > 0.0 && std::isfinite(rms)) C = rms;
  rho2 = C * C / (C * C + eps);
}

Vector NormSize::hiddenTarget(const Vector& y) const {
  return C / std::sqrt(rho2) * y;
}

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/theorems/output_scale.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace equipatch {

ScaleChange outputScale(const Vector& missing, const Vector& n, const Vector& m,
                        double limit) {
  ScaleChange change{.delta = Vector::Zero(m.size())};
  double smallest = std::numeric_limits<double>::infinity();
  for (Eigen::Index k = 0; k < m.size(); ++k) {
    if (missing[k] == 0.0) continue;
    if (n[k] == 0.0) {
      ++change.guarded;
      continue;
    }
    smallest = std::min(smallest, std::abs(n[k]));
    const double wanted = m[k] + missing[k] / n[k];
    const double possible = std::clamp(wanted, -limit, limit);
    if (possible != wanted) ++change.guarded;
    change.delta[k] = possible - m[k];
  }
  if (std::isfinite(smallest)) change.smallestDivisor = smallest;
  return change;
}

}  // namespace equipatch

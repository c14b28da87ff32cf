// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>

#include "core/patch/low_rank.h"

namespace equipatch::test {

/// RMSNorm without scale, written independently of the program.
inline Vector rmsNormalised(const Vector& x, double eps) {
  return x / std::sqrt(x.squaredNorm() / static_cast<double>(x.size()) + eps);
}

/// How far norm(hiddenTarget) ⊙ m' of a split is from g, relative to g.
template <typename Split>
double errorOf(const Split& split, const Vector& g, double eps) {
  const Vector branch = rmsNormalised(split.hiddenTarget, eps).cwiseProduct(split.m);
  return (branch - g).norm() / std::max(g.norm(), 1e-300);
}

}  // namespace equipatch::test

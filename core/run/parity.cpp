#include "core/run/parity.h"

#include <algorithm>
#include <limits>

namespace equipatch {

double GoldenResult::largest() const {
  return std::max({logits, hidden, modules});
}

bool GoldenResult::equal() const {
  return greedy && largest() <= kGoldenTolerance;
}

double PatchResult::ratio() const {
  if (linf == 0.0) return 0.0;
  return bareLinf > 0.0 ? linf / bareLinf : std::numeric_limits<double>::infinity();
}

bool PatchResult::holds() const {
  constexpr double kFloat32 = 1e-4;
  constexpr double kFloat64 = 1e-10;
  return steps > 0 && matches == steps &&
         ratio() <= (dtype == DType::F64 ? kFloat64 : kFloat32);
}

}  // namespace equipatch

#pragma once

#include <cstdint>

namespace equipatch {

/// The sum of term(i) over [begin, end), in lanes that the compiler can keep in
/// registers. Its order depends on nothing but the range.
template <typename Real, typename Term>
Real laneSum(std::int64_t begin, std::int64_t end, const Term& term) {
  constexpr int kLanes = 16;
  Real lanes[kLanes] = {};
  std::int64_t i = begin;
  for (; i + kLanes <= end; i += kLanes)
    for (int lane = 0; lane < kLanes; ++lane) lanes[lane] += term(i + lane);
  Real sum = 0;
  for (; i < end; ++i) sum += term(i);
  for (const Real lane : lanes) sum += lane;
  return sum;
}

}  // namespace equipatch

#pragma once

#include <cstdint>
#include <functional>

namespace equipatch {

/// A half-open range of work items.
struct WorkRange {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

/// How to divide `items` equal pieces of work, each reading about `bytesPerItem`.
struct WorkShape {
  std::int64_t items = 0;
  std::int64_t bytesPerItem = 0;
  std::int64_t grain = 1;  ///< ranges begin at multiples of it
};

/// Calls `body` on ranges that cover the items once, on up to kernelThreads() threads; on
/// the calling thread alone when the work is too small to pay for a fork. The ranges
/// depend on the number of threads, so results must not depend on them. `body` must not
/// throw.
void parallelRanges(WorkShape shape, const std::function<void(WorkRange)>& body);

}  // namespace equipatch

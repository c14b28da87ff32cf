#include "core/base/malloc_retention.h"

#include <cstdlib>  // tells which C library this is

#if defined(__GLIBC__)
#include <malloc.h>

#include <mutex>
#endif

namespace equipatch {

#if defined(__GLIBC__)

namespace {

constexpr int kMiB = 1 << 20;

/// From `large` bytes on a piece is the system's own mapping; more than `kept` bytes free
/// at the heap's end are handed back.
void setLimits(int large, int kept) {
  ::mallopt(M_MMAP_THRESHOLD, large);
  ::mallopt(M_TRIM_THRESHOLD, kept);
}

std::mutex& mutex() {
  static std::mutex only;
  return only;
}

int& living() {
  static int count = 0;
  return count;
}

}  // namespace

MallocRetention::MallocRetention() {
  const std::scoped_lock lock(mutex());
  if (living()++ == 0) setLimits(1024 * kMiB, 2047 * kMiB);
}

// What the library settles on by itself once large pieces were freed.
MallocRetention::~MallocRetention() {
  const std::scoped_lock lock(mutex());
  if (--living() > 0) return;
  setLimits(32 * kMiB, 64 * kMiB);
  ::malloc_trim(0);
}

#else

MallocRetention::MallocRetention() = default;
MallocRetention::~MallocRetention() = default;

#endif

}  // namespace equipatch

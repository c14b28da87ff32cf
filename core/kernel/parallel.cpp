#include "core/kernel/parallel.h"

#include <omp.h>

#include <algorithm>
#include <atomic>

#include "core/kernel/few_row_product.h"

namespace equipatch {
namespace {

// A fork and join costs a few microseconds, in which one core reads about this much.
constexpr std::int64_t kBytesWorthAThread = 128 * 1024;

// At first what OpenMP takes: OMP_NUM_THREADS, else the processors this process may use.
std::atomic<int>& threadCount() {
  static std::atomic<int> count{std::max(1, omp_get_max_threads())};
  return count;
}

int threadsFor(WorkShape shape) {
  const std::int64_t worth = shape.items * shape.bytesPerItem / kBytesWorthAThread;
  const std::int64_t most = std::min<std::int64_t>(kernelThreads(), shape.items);
  return static_cast<int>(std::max<std::int64_t>(1, std::min(worth, most)));
}

}  // namespace

void setKernelThreads(int threads) {
  threadCount().store(std::max(1, threads), std::memory_order_relaxed);
}

int kernelThreads() {
  return threadCount().load(std::memory_order_relaxed);
}

void parallelRanges(WorkShape shape, const std::function<void(WorkRange)>& body) {
  const int threads = threadsFor(shape);
  if (threads == 1) {
    body({0, shape.items});
    return;
  }
#pragma omp parallel num_threads(threads)
  {
    // Fewer threads than asked for may come.
    const std::int64_t count = omp_get_num_threads();
    const std::int64_t index = omp_get_thread_num();
    body({shape.items * index / count, shape.items * (index + 1) / count});
  }
}

}  // namespace equipatch

#include "core/kernel/threads.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <thread>

#if defined(__linux__)
#include <sched.h>
#endif

#include "core/kernel/weight_products.h"
#include "core/kernel/thread_pool.h"

namespace equipatch {
namespace {

// Waking a helper takes some microseconds, in which one core reads about this much.
constexpr std::int64_t kBytesWorthAThread = 128 * 1024;
// Enough that little is left to wait for at the end, when one thread was held up.
constexpr std::int64_t kChunksPerThread = 16;

/// Processors that this process may use.
int availableProcessors() {
#if defined(__linux__)
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return CPU_COUNT(&allowed);
#endif
  return static_cast<int>(std::thread::hardware_concurrency());
}

int defaultThreads() {
  // The variable by which users limit the threads of numeric programs; of a list, the
  // first.
  const char* wanted = std::getenv("OMP_NUM_THREADS");
  const int threads = wanted ? std::atoi(wanted) : 0;
  return std::max(1, threads > 0 ? threads : availableProcessors());
}

std::atomic<int>& threadCount() {
  static std::atomic<int> count{defaultThreads()};
  return count;
}

}  // namespace

void setKernelThreads(int threads) {
  threadCount().store(std::max(1, threads), std::memory_order_relaxed);
}

int kernelThreads() {
  return threadCount().load(std::memory_order_relaxed);
}

void parallelRanges(WorkShape shape, const std::function<void(WorkRange)>& body) {
  const int threads = kernelThreads();
  const std::int64_t grains = (shape.items + shape.grain - 1) / shape.grain;
  const std::int64_t worth = shape.items * shape.bytesPerItem / kBytesWorthAThread;
  const std::int64_t chunks =
      std::min({grains, worth, std::int64_t{threads} * kChunksPerThread});
  if (threads == 1 || chunks < 2) {
    body({0, shape.items});
    return;
  }
  const auto start = [&](std::int64_t chunk) {
    return std::min(shape.items, grains * chunk / chunks * shape.grain);
  };
  ThreadPool::instance().run(threads - 1, static_cast<std::uint32_t>(chunks),
                             [&](std::int64_t chunk) {
                               body({start(chunk), start(chunk + 1)});
                             });
}

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernel/threads.h"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <thread>

#if defined(__linux__)
#include <sched.h>
#endif

#include "core/kernel/thread_pool.h"

namespace equipatch {
namespace {

// Waking a helper takes some microseconds, in which one core reads about this much
// memory.
constexpr std::int64_t kBytesWorthAThread = 128 * 1024;
// Enough chunks that little work is left at the end when one thread was interrupted.
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
  // The variable that limits the threads of numeric programs; the first entry of a list.
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

void onLibraryThreads(std::int64_t items, std::int64_t grain,
                      const std::function<void(std::int64_t, std::int64_t)>& body) {
  const std::int64_t parts =
      std::clamp<std::int64_t>(items / std::max<std::int64_t>(1, grain), 1,
                               std::min(kernelThreads(), omp_get_max_threads()));
  if (parts == 1) return body(0, items);
#pragma omp parallel for schedule(static) num_threads(static_cast <int>(parts))
  for (std::int64_t part = 0; part < parts; ++part)
    body(items * part / parts, items * (part + 1) / parts);
}

NoLibraryThreads::NoLibraryThreads() : m_before(omp_get_max_threads()) {
  omp_set_num_threads(1);
}

NoLibraryThreads::~NoLibraryThreads() {
  omp_set_num_threads(m_before);
}

}  // namespace equipatch

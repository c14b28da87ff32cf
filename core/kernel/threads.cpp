// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernel/threads.h"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <system_error>
#include <thread>

#if defined(__linux__)
#include <sched.h>
#endif

namespace equipatch {
namespace {

// Handing a helper its work takes a few microseconds, in which one core reads this much
// memory.
constexpr std::int64_t kBytesWorthAThread = 128 * 1024;
// Many small chunks, because an interrupted thread delays the chunk that it has taken.
constexpr std::int64_t kChunksPerThread = 16;

int availableProcessors() {
#if defined(__linux__)
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return CPU_COUNT(&allowed);
#endif
  return static_cast<int>(std::thread::hardware_concurrency());
}

int defaultThreads() {
  // OMP_NUM_THREADS may be a list, a number for each nesting level; atoi reads the first.
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

namespace {

// A waiting thread spins this many times (on x86-64 about half a millisecond) before it
// sleeps. The pause between two products takes tens of microseconds, or hundreds if a
// patch is made in it; waking a sleeping thread would take as long as the pause.
constexpr int kSpins = 20'000;

void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

}  // namespace

ThreadPool& ThreadPool::instance() {
  static ThreadPool pool;
  return pool;
}

void ThreadPool::run(int helpers, std::uint32_t chunks, const Body& body) {
  if (helpers < 1 || chunks < 2 || m_busy.test_and_set(std::memory_order_acquire)) {
    for (std::uint32_t chunk = 0; chunk < chunks; ++chunk) body(chunk);
    return;
  }
  setHelpers(helpers);
  m_body = &body;
  m_chunks = chunks;
  m_done.store(0, std::memory_order_relaxed);
  const std::uint64_t call = (m_ticket.load(std::memory_order_relaxed) >> 32) + 1;
  m_ticket.store(call << 32 | chunks, std::memory_order_release);
  m_calls.fetch_add(1, std::memory_order_release);
  m_calls.notify_all();
  while (takeChunk()) continue;
  awaitChunks();
  m_busy.clear(std::memory_order_release);
}

bool ThreadPool::takeChunk() {
  std::uint64_t ticket = m_ticket.load(std::memory_order_relaxed);
  do {
    if (static_cast<std::uint32_t>(ticket) == 0) return false;
  } while (!m_ticket.compare_exchange_weak(ticket, ticket - 1, std::memory_order_acquire,
                                           std::memory_order_relaxed));
  (*m_body)(m_chunks - static_cast<std::uint32_t>(ticket));
  m_done.fetch_add(1, std::memory_order_release);
  m_done.notify_one();
  return true;
}

void ThreadPool::awaitChunks() const {
  int spins = 0;
  std::uint32_t done = 0;
  while ((done = m_done.load(std::memory_order_acquire)) != m_chunks) {
    if (++spins < kSpins) {
      relax();
    } else {
      m_done.wait(done, std::memory_order_acquire);
    }
  }
}

void ThreadPool::help() {
  while (true) {
    const std::uint32_t calls = m_calls.load(std::memory_order_acquire);
    if (m_stopping.load(std::memory_order_relaxed)) return;
    while (takeChunk()) continue;
    for (int spins = 0; spins < kSpins; ++spins) {
      if (m_calls.load(std::memory_order_relaxed) != calls) break;
      relax();
    }
    m_calls.wait(calls, std::memory_order_acquire);
  }
}

void ThreadPool::setHelpers(int count) {
  if (m_wanted == count) return;
  m_wanted = count;
  m_stopping.store(true, std::memory_order_relaxed);
  m_calls.fetch_add(1, std::memory_order_release);
  m_calls.notify_all();
  m_helpers.clear();  // joins
  m_stopping.store(false, std::memory_order_relaxed);
  try {
    while (std::ssize(m_helpers) < count) m_helpers.emplace_back([this] { help(); });
  } catch (const std::system_error&) {
    // The system refused a thread. Until `count` changes, calls use the helpers that
    // exist: a new attempt in every call would cost more than it could gain.
  }
}

}  // namespace equipatch

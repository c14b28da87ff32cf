// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace equipatch {

// Core and the trainer use three kinds of threads:
// - ThreadPool: reading, expansion and norms of weights, products of few rows, the delta
//   rule, logit metrics. An OpenMP region would end only after the system has scheduled
//   every thread of the team. On a busy machine, this takes a time slice per product.
// - OpenMP's team: libtorch, BLAS, bfloat16Product, and, through onLibraryThreads, the
//   loops between these. The team's threads still spin during these loops and would
//   compete with the pool's threads.
// - Other std::jthreads: core/work, readahead (core/base/file_map), the trainer.

/// The number of threads for the kernels; less than 1 counts as 1. The default is
/// OMP_NUM_THREADS or else the number of processors that this process may use.
void setKernelThreads(int threads);
int kernelThreads();

/// A half-open range of work items.
struct WorkRange {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

/// How to divide `items` equal pieces of work, each reading about `bytesPerItem`.
struct WorkShape {
  std::int64_t items = 0;
  std::int64_t bytesPerItem = 0;
  std::int64_t grain = 1;  ///< ranges begin at multiples of this
};

/// Calls `body` on ranges that cover each item once, on this thread and at most
/// kernelThreads() − 1 threads of the pool. Without items, `body` gets one empty range.
/// The ranges depend on the number of threads; results must not depend on the ranges.
/// `body` must not throw.
void parallelRanges(WorkShape shape, const std::function<void(WorkRange)>& body);

/// Calls body(begin, end) on ranges that cover [0, items) once, on OpenMP's threads. Each
/// range has at least `grain` items, unless it has all. `body` must not throw.
void onLibraryThreads(std::int64_t items, std::int64_t grain,
                      const std::function<void(std::int64_t, std::int64_t)>& body);

/// While an instance exists, the thread that made it computes without an OpenMP team:
/// after a small operation, a team would spin on the processors that the pool needs for
/// the products. The same thread must destroy the instance.
class NoLibraryThreads {
 public:
  NoLibraryThreads();
  ~NoLibraryThreads();
  NoLibraryThreads(const NoLibraryThreads&) = delete;
  NoLibraryThreads& operator=(const NoLibraryThreads&) = delete;

 private:
  int m_before;
};

/// Threads that help a caller. Caller and helpers take chunks until none is left; then
/// the caller waits only for chunks that helpers have begun. So a helper that the system
/// does not schedule in time delays nothing.
class ThreadPool {
 public:
  static ThreadPool& instance();

  ThreadPool() = default;
  ~ThreadPool() { setHelpers(0); }
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  using Body = std::function<void(std::int64_t chunk)>;

  /// Calls `body` once for every chunk in [0, chunks), on this thread and at most
  /// `helpers` others, and returns when all calls have returned. Any thread may call
  /// `run`, also from a body. While the pool helps one caller, other callers do all their
  /// chunks themselves. `body` must not throw.
  void run(int helpers, std::uint32_t chunks, const Body& body);

 private:
  void setHelpers(int count);
  void help();
  bool takeChunk();
  void awaitChunks() const;

  // Held by the caller that gets help; guards m_body, m_chunks, m_wanted and m_helpers.
  std::atomic_flag m_busy;
  const Body* m_body = nullptr;
  std::uint32_t m_chunks = 0;

  // Upper half: number of the call of `run`; lower half: chunks not yet taken. A thread
  // that has taken a chunk may use m_body, because `run` waits for the chunk.
  std::atomic<std::uint64_t> m_ticket = 0;
  std::atomic<std::uint32_t> m_done = 0;
  std::atomic<std::uint32_t> m_calls = 0;  // helpers sleep until this changes
  std::atomic<bool> m_stopping = false;
  int m_wanted = 0;  // helpers; there are fewer if the system refused a thread
  std::vector<std::jthread> m_helpers;
};

}  // namespace equipatch

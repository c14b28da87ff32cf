// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace equipatch {

// The program computes on three kinds of threads:
// - ThreadPool: reading weights into memory, norms of matrices and, through
//   parallelRanges, products of few rows, weighted sums, the delta rule, MXFP4, logit
//   metrics. They avoid OpenMP, because the end of a parallel region waits until the
//   system has scheduled every thread of the team; on a busy machine that costs a time
//   slice for each product.
// - OpenMP's team: operations of libtorch and BLAS, bfloat16Product, and, through
//   onLibraryThreads, the loops between these (norms of rows, rotations, activations,
//   rounding). The team's threads still spin during these loops, and the pool's threads
//   would compete with them.
// - std::jthread: core/work (workers and side_by_side), core/base/file_map (readahead),
//   trainer/training.

/// The number of threads that the kernels use; less than 1 counts as 1. The default is
/// OMP_NUM_THREADS, or else the number of processors that this process may use.
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
  std::int64_t grain = 1;  ///< ranges begin at multiples of it
};

/// Calls `body` on ranges that cover the items once, on the calling thread and up to
/// kernelThreads() − 1 threads of the pool. The calling thread works alone if the pool is
/// busy or the work too small to pay for helpers. Without items, `body` gets one empty
/// range. The number of threads determines the ranges, so results must not depend on how
/// the items are divided. `body` must not throw.
void parallelRanges(WorkShape shape, const std::function<void(WorkRange)>& body);

/// Calls body(begin, end) on ranges that cover [0, items) once, each of at least `grain`
/// items (one range if there are fewer), on OpenMP's threads. `body` must not throw.
void onLibraryThreads(std::int64_t items, std::int64_t grain,
                      const std::function<void(std::int64_t, std::int64_t)>& body);

/// While an instance exists, OpenMP uses no other threads for what this thread computes.
/// The thread that makes an instance must also destroy it. In a step only the products
/// are large, and they use the pool. An OpenMP team that was woken for a small operation
/// would spin on the processors that the pool needs.
class NoLibraryThreads {
 public:
  NoLibraryThreads();
  ~NoLibraryThreads();
  NoLibraryThreads(const NoLibraryThreads&) = delete;
  NoLibraryThreads& operator=(const NoLibraryThreads&) = delete;

 private:
  int m_before;
};

/// Threads that help a caller. A helper takes chunks of the work if it wakes up in time;
/// the caller does the other chunks itself and waits only for chunks that were begun. So
/// a helper that a busy machine does not schedule delays nothing.
class ThreadPool {
 public:
  static ThreadPool& instance();

  ThreadPool() = default;
  ~ThreadPool() { setHelpers(0); }
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  using Body = std::function<void(std::int64_t chunk)>;

  /// Calls `body` once for every chunk in [0, chunks), on this thread and at most
  /// `helpers` others, and returns when all calls have returned. Any thread may call it,
  /// also from a body. Only one caller at a time gets help; while the helpers are taken,
  /// another caller does all its chunks itself. `body` must not throw.
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

  // Upper half: number of the call; lower half: chunks not yet taken. `run` returns only
  // when every chunk is done, so a thread that has taken a chunk may use the body.
  std::atomic<std::uint64_t> m_ticket = 0;
  std::atomic<std::uint32_t> m_done = 0;
  std::atomic<std::uint32_t> m_calls = 0;  // helpers sleep until it changes
  std::atomic<bool> m_stopping = false;
  int m_wanted = 0;  // helpers; there are fewer if the system refused a thread
  std::vector<std::jthread> m_helpers;
};

}  // namespace equipatch

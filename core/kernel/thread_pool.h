// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace equipatch {

/// Threads that help a caller. A helper takes chunks of the work if it wakes up in time;
/// the caller does the other chunks itself and waits only for chunks that were begun, so
/// a busy machine that does not schedule a helper delays nothing. threads.h says what
/// runs here.
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
  /// also from a body: only one caller at a time gets help. `body` must not throw.
  void run(int helpers, std::uint32_t chunks, const Body& body);

 private:
  void setHelpers(int count);
  void help();
  bool takeChunk();
  void awaitChunks() const;

  std::atomic_flag m_busy;  // held by the caller that gets help; guards the next two
  const Body* m_body = nullptr;
  std::uint32_t m_chunks = 0;

  // Upper half: number of the call; lower half: chunks not yet taken. A thread that has
  // taken a chunk knows that the call, and with it the body, lasts until the chunk is
  // done.
  std::atomic<std::uint64_t> m_ticket = 0;
  std::atomic<std::uint32_t> m_done = 0;
  std::atomic<std::uint32_t> m_calls = 0;  // the number of calls, on which helpers sleep
  std::atomic<bool> m_stopping = false;
  std::vector<std::jthread> m_helpers;
};

}  // namespace equipatch

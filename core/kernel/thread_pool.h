#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace equipatch {

/// Helpers of the thread that computes. They take chunks of its work if they come in
/// time; if they do not, because the machine is busy, it does them itself and waits for
/// no one who has not begun. (An OpenMP team waits at its end for every member to be
/// scheduled, which on a busy machine costs a time slice a product.)
class ThreadPool {
 public:
  static ThreadPool& instance();

  ThreadPool() = default;
  ~ThreadPool() { setHelpers(0); }
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  using Body = std::function<void(std::int64_t chunk)>;

  /// Calls `body` once for every chunk in [0, chunks), on this thread and at most
  /// `helpers` others, and returns when all calls have. Any thread may call it, also from
  /// a body: only one caller at a time gets help. `body` must not throw.
  void run(int helpers, std::uint32_t chunks, const Body& body);

 private:
  void setHelpers(int count);
  void help();
  bool takeChunk();
  void awaitChunks() const;

  std::atomic_flag m_busy;  // the one caller that gets help; guards the two below
  const Body* m_body = nullptr;
  std::uint32_t m_chunks = 0;

  // Number of the call above, chunks not yet taken below: who takes one knows that the
  // call cannot end, and that its body stays valid, until the chunk is done.
  std::atomic<std::uint64_t> m_ticket = 0;
  std::atomic<std::uint32_t> m_done = 0;
  std::atomic<std::uint32_t> m_calls = 0;  // what helpers sleep on
  std::atomic<bool> m_stopping = false;
  std::vector<std::jthread> m_helpers;
};

}  // namespace equipatch

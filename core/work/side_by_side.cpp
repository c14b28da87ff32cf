// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/work/side_by_side.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/error.h"

namespace equipatch {
namespace {

class TaskBoard {
 public:
  explicit TaskBoard(const TaskGroup& group) : m_group(group) {}

  std::optional<std::size_t> take() {
    const std::lock_guard lock(m_mutex);
    if (m_next == m_group.count || isStopping()) return std::nullopt;
    return m_next++;
  }

  bool stopRequested() const {
    const std::lock_guard lock(m_mutex);
    return isStopping();
  }

  void advance(double fractionOfTask, std::string_view label) {
    change([&] {
      m_advanced += fractionOfTask;
      if (!label.empty()) m_label = label;
    });
  }

  void finish(Delivery delivery) {
    change([&] { m_deliveries.push_back(std::move(delivery)); });
  }

  /// Stops the tasks. Only the first failure is kept, because later failures may be
  /// consequences of the stop.
  void fail(const std::exception_ptr& failure) {
    change([&] {
      if (!m_failure) m_failure = failure;
    });
  }

  void leave() {
    change([&] { ++m_left; });
  }

  /// Runs on the thread that called runSideBySide, until all threads have left.
  void relay(int threads, Progress& progress) {
    for (std::unique_lock lock(m_mutex);;) {
      m_changed.wait(lock, [this] { return m_hasNews; });
      m_hasNews = false;
      const std::vector<Delivery> deliveries = std::exchange(m_deliveries, {});
      const double fraction = m_advanced / static_cast<double>(m_group.count);
      const std::string label = m_label;
      const bool allLeft = m_left == threads;
      lock.unlock();
      for (const Delivery& deliver : deliveries) deliver();
      progress.report(std::min(1.0, fraction), label);
      if (allLeft) return;
      lock.lock();
    }
  }

  /// Call this only when all threads have left: it does not lock.
  void rethrow() const {
    if (m_failure) std::rethrow_exception(m_failure);
  }

 private:
  bool isStopping() const { return m_failure || m_group.stop.stop_requested(); }

  template <typename Change>
  void change(const Change& change) {
    {
      const std::lock_guard lock(m_mutex);
      change();
      m_hasNews = true;
    }
    m_changed.notify_one();
  }

  const TaskGroup& m_group;
  mutable std::mutex m_mutex;  // guards everything below
  std::condition_variable m_changed;
  std::size_t m_next = 0;
  std::vector<Delivery> m_deliveries;
  std::exception_ptr m_failure;
  std::string m_label;
  double m_advanced = 0.0;  // in tasks
  int m_left = 0;           // threads
  bool m_hasNews = false;
};

class TaskProgress final : public Progress {
 public:
  explicit TaskProgress(TaskBoard& board) : m_board(board) {}

  void report(double fraction, std::string_view label) override {
    const double reached = std::clamp(fraction, m_reached, 1.0);
    m_board.advance(reached - m_reached, label);
    m_reached = reached;
  }
  bool stopRequested() const override { return m_board.stopRequested(); }

  double remaining() const { return 1.0 - m_reached; }

 private:
  TaskBoard& m_board;
  double m_reached = 0.0;
};

void work(TaskBoard& board, const GroupedTask& compute, int thread) {
  try {
    while (const auto task = board.take()) {
      TaskProgress progress(board);
      board.finish(compute(*task, thread, progress));
      board.advance(progress.remaining(), {});
    }
  } catch (...) {
    board.fail(std::current_exception());
  }
  board.leave();
}

}  // namespace

void runSideBySide(const TaskGroup& group, const GroupedTask& compute,
                   Progress& progress) {
  if (group.count == 0) return;
  TaskBoard board(group);
  const int threads =
      static_cast<int>(std::min(static_cast<std::size_t>(group.threads), group.count));
  {
    std::vector<std::jthread> running;  // joined at the end of this block
    try {
      for (int thread = 0; thread < threads; ++thread)
        running.emplace_back([&, thread] { work(board, compute, thread); });
      board.relay(threads, progress);
    } catch (...) {
      board.fail(std::current_exception());  // stops the threads
    }
  }
  board.rethrow();
  if (group.stop.stop_requested())
    throw Error(ErrorKind::Cancelled, "stopped on request");
  progress.throwIfStopped();
}

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "core/work/control.h"
#include "core/work/job.h"

namespace equipatch::test {

/// Records every event as a line, such as "3 failed: sentence" for job 3. The functions
/// that wait return false after a minute.
class RecordingListener final : public WorkerListener {
 public:
  void jobStarted(Generation g, const std::string& name) override {
    add(g, "started", name);
  }
  void jobProgressed(Generation g, double, const std::string& label) override {
    add(g, "progressed", label);
  }
  void jobPaused(Generation g) override { add(g, "paused"); }
  void jobResumed(Generation g) override { add(g, "resumed"); }
  void jobHeld(Generation g, const Error& reason) override {
    add(g, "held", reason.what());
  }
  void jobFinished(Generation g) override { add(g, "finished"); }
  void jobCancelled(Generation g) override { add(g, "cancelled"); }
  void jobFailed(Generation g, const Error& error) override {
    add(g, "failed", error.what());
  }

  QStringList lines() const {
    const std::lock_guard lock(m_mutex);
    return m_lines;
  }
  bool waitFor(const QString& line, int count = 1) const {
    return waitUntil([&] { return m_lines.count(line) >= count; });
  }
  bool waitForEnd(Generation generation) const {
    return waitUntil([&] { return endsOf(generation) > 0; });
  }
  qsizetype ends(Generation generation) const {
    const std::lock_guard lock(m_mutex);
    return endsOf(generation);
  }

  /// Called with every line on the worker's thread, with the mutex unlocked and before
  /// waitFor can see the line. Set this only while no job runs.
  std::function<void(const QString&)> onEvent;

 private:
  bool waitUntil(const std::function<bool()>& reached) const {
    std::unique_lock lock(m_mutex);
    return m_changed.wait_for(lock, std::chrono::seconds(60), reached);
  }

  qsizetype endsOf(Generation generation) const {
    const QString start = QString::number(generation) + " ";
    return m_lines.count(start + "finished") + m_lines.count(start + "cancelled") +
           std::ranges::count_if(m_lines, [&](const QString& line) {
             return line.startsWith(start + "failed");
           });
  }

  void add(Generation generation, const char* event, const std::string& detail = {}) {
    QString line = QString::number(generation) + " " + event;
    if (!detail.empty()) line += ": " + QString::fromStdString(detail);
    if (onEvent) onEvent(line);
    {
      const std::lock_guard lock(m_mutex);
      m_lines += line;
    }
    m_changed.notify_all();
  }

  mutable std::mutex m_mutex;
  mutable std::condition_variable m_changed;
  QStringList m_lines;
};

inline std::unique_ptr<Job> job(std::function<void(Control&)> work,
                                std::string name = "job") {
  return std::make_unique<FunctionJob>(std::move(name), std::move(work));
}

/// Runs until a stop request. Reports only its first eight steps.
inline std::unique_ptr<Job> endlessJob() {
  return job([](Control& control) {
    for (int step = 0; control.pass(); ++step) {
      if (step < 8) control.report(0.0, "step " + std::to_string(step));
      std::this_thread::yield();
    }
  });
}

}  // namespace equipatch::test

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "core/base/error.h"
#include "core/work/control.h"
#include "core/work/job.h"

namespace equipatch {

/// A thread that runs jobs one after another. Call all methods from one thread; the
/// listener may also call `pause`, `resume`, `stepOnce` and `stop`.
class Worker {
 public:
  /// @param listener must outlive the worker.
  explicit Worker(WorkerListener& listener);
  /// As `stop`, and waits until every job's end is reported.
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  enum class Start { Running, Paused };

  /// Queues a job (not null). Each job has its own gate: pausing an earlier job does not
  /// pause this job.
  Generation start(std::unique_ptr<Job> job, Start how = Start::Running);

  // Act on the oldest job, queued or running, that has neither ended nor been stopped.
  void pause();  ///< the job waits at its next step
  void resume();
  void stepOnce();  ///< one more step, then paused

  /// Asks the running job to end, without waiting. Queued jobs do not run, but are
  /// reported as started and cancelled.
  void stop();

  /// As `stop`, but waits until all jobs have ended. Start no job afterwards.
  void finish();

 private:
  struct Entry {
    Generation generation = 0;
    std::unique_ptr<Job> job;
    Gate gate;
    std::stop_source stop;
  };

  std::shared_ptr<Entry> current();
  void loop(const std::stop_token& threadStop);
  void runOne(Entry& entry);

  WorkerListener& m_listener;
  std::mutex m_mutex;  // guards the jobs and the counter
  std::condition_variable_any m_queued;
  std::deque<std::shared_ptr<Entry>>
      m_jobs;  // oldest first; the running one is the front
  Generation m_lastGeneration = 0;
  std::jthread m_thread;  // last member: starts last and joins first
};

/// Runs a job on the caller's thread with the same events. Nobody can resume such a job,
/// so Control::hold makes it fail.
class InlineWorker {
 public:
  explicit InlineWorker(WorkerListener& listener) : m_listener(listener) {}

  /// Failures become events and are not thrown.
  Generation run(std::unique_ptr<Job> job);

  /// Stops the running job and every later job, so that a request between two jobs is not
  /// lost. May be called from any thread.
  void stop() { m_stop.request_stop(); }

 private:
  WorkerListener& m_listener;
  Gate m_gate;
  std::stop_source m_stop;
  Generation m_lastGeneration = 0;
};

struct JobOutcome {
  enum class Kind { Finished, Cancelled, Failed };
  Kind kind = Kind::Finished;
  std::optional<Error> error;  ///< of a failed job
};

/// Reports the start, runs the job unless a stop was requested before, and destroys it.
/// Rethrows none of the job's exceptions. The job counts as cancelled if it throws
/// Error{Cancelled}, or returns after a stop request without Control::setComplete; any
/// other exception is a failure even after a stop request, so that its reason is kept.
JobOutcome execute(std::unique_ptr<Job> job, Control& control, WorkerListener& listener);

void reportEnd(const JobOutcome& outcome, Generation generation,
               WorkerListener& listener);

/// The exception being handled, as an Error; call this only inside a catch block. Any
/// exception but an Error becomes an Error whose sentence begins with `task`. Its kind is
/// Resource if memory ran out, otherwise Numeric.
Error currentError(const std::string& task);

}  // namespace equipatch

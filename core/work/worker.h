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

/// A thread that runs jobs one after another. All methods must be called from one thread
/// (the window's); the listener, too, may pause, resume, step and stop jobs. Only
/// `finish` and the destructor wait for a job.
class Worker {
 public:
  /// @param listener must outlive the worker; it is called on the worker's thread.
  explicit Worker(WorkerListener& listener);
  /// Stops the running job, drops the queue and joins the thread. Every job's end is
  /// reported first.
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  enum class Start { Running, Paused };

  /// Queues a job (not null) after the jobs that were started earlier. Each job has its
  /// own gate, so pausing an earlier job does not pause this one.
  /// @returns the job's number
  Generation start(std::unique_ptr<Job> job, Start how = Start::Running);

  // These act on the oldest job, queued or running, that has neither ended nor been
  // stopped. Without such a job they do nothing.
  void pause();  ///< the job waits at its next step
  void resume();
  void stepOnce();  ///< one more step, then paused

  /// Asks the running job to end; its end is reported when it comes. Drops the queued
  /// jobs; each is reported as started and cancelled.
  void stop();

  /// As `stop`, and waits until the running job has ended. Start no job afterwards.
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

/// Runs a job on the caller's thread with the same events, for the command line and
/// tests. Its jobs cannot be resumed, so they fail at Control::hold.
class InlineWorker {
 public:
  explicit InlineWorker(WorkerListener& listener) : m_listener(listener) {}

  /// Runs the job to its end. Failures become events and are not thrown.
  Generation run(std::unique_ptr<Job> job);

  /// Stops the running job and every later one, so that a request between two jobs is not
  /// lost. May be called from any thread.
  void stop() { m_stop.request_stop(); }

 private:
  WorkerListener& m_listener;
  Gate m_gate;
  std::stop_source m_stop;
  Generation m_lastGeneration = 0;
};

/// How a job ended.
struct JobOutcome {
  enum class Kind { Finished, Cancelled, Failed };
  Kind kind = Kind::Finished;
  std::optional<Error> error;  ///< of a failed job
};

/// Reports the start to `listener`, runs the job and destroys it. A job with a stop
/// request before its start is not run. Exceptions end here: a job that returns after a
/// stop request without Control::setComplete, or throws Error{Cancelled}, was cancelled;
/// any other exception is a failure even after a stop request, so that its reason is
/// kept.
JobOutcome execute(std::unique_ptr<Job> job, Control& control, WorkerListener& listener);

/// Sends the event for the outcome: finished, cancelled or failed.
void reportEnd(const JobOutcome& outcome, Generation generation,
               WorkerListener& listener);

/// The exception being handled, as an Error. An Error stays as it is. Any other exception
/// becomes an Error whose sentence begins with `task`. Its kind is Resource if memory ran
/// out, otherwise Numeric, with the first line of the exception's message: libtorch
/// appends a backtrace. Call this function only inside a catch block.
Error currentError(const std::string& task);

}  // namespace equipatch

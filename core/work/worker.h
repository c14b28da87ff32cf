#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>

#include "core/work/gate.h"
#include "core/work/job.h"

namespace equipatch {

/// The only thread of the engine: runs jobs one after another. Methods may be called from
/// any one thread (the window's); none of them waits for the job.
class Worker {
 public:
  /// @param listener outlives the worker; hears events on the worker's thread.
  explicit Worker(WorkerListener& listener);
  /// Stops the running job, drops the queue and joins. Every job is told as ended first.
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  enum class Start { Running, Paused };

  /// Queues a job behind the ones that were started before and not stopped. Each job has
  /// its own gate, so what was paused before does not hold it.
  Generation start(std::unique_ptr<Job> job, Start how = Start::Running);

  // These act on the oldest job that has neither ended nor been stopped, waiting or
  // running; without one they do nothing.
  void pause();  ///< it waits at its next step
  void resume();
  void stepOnce();  ///< one more step, then paused

  /// Asks the running job to leave and drops the queued ones; each is told as cancelled
  /// (a dropped one as started, then cancelled).
  void stop();

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
  std::jthread m_thread;  // last: starts when all else is ready, joins first
};

/// The worker's synchronous twin: runs a job on the caller's thread, with the same
/// events. For the command line and for tests.
class InlineWorker {
 public:
  explicit InlineWorker(WorkerListener& listener) : m_listener(listener) {}

  /// Runs the job to its end, failure included: failures are events, never thrown here.
  Generation run(std::unique_ptr<Job> job);

  /// Stops the running job and every later one: a request that arrives between two jobs
  /// of a program must not get lost. May be called from any thread.
  void stop() { m_stop.request_stop(); }

 private:
  WorkerListener& m_listener;
  Gate m_gate;
  std::stop_source m_stop;
  Generation m_lastGeneration = 0;
};

}  // namespace equipatch

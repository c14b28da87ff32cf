#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

#include "core/work/gate.h"
#include "core/work/job.h"

namespace equipatch {

/// The only thread of the engine: runs jobs one after another. Methods may be called from
/// any one thread (the window's); none of them waits for the job.
class Worker {
 public:
  /// @param listener outlives the worker; hears events on the worker's thread.
  explicit Worker(WorkerListener& listener);
  /// Stops the running job, drops the queue and joins.
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  enum class Start { Running, Paused };

  /// Queues a job behind the ones that were started before and not stopped.
  Generation start(std::unique_ptr<Job> job, Start how = Start::Running);

  void pause();   ///< the current job waits at its next step
  void resume();
  void stepOnce();  ///< one more step, then paused
  /// Asks the running job to leave and drops the queued ones; each is told as cancelled.
  void stop();

 private:
  struct Queued {
    Generation generation;
    std::unique_ptr<Job> job;
    Start how;
  };

  void loop(std::stop_token threadStop);
  void runOne(Queued queued, std::stop_token threadStop);

  WorkerListener& m_listener;
  Gate m_gate;
  std::mutex m_mutex;  // guards the queue, the running job's stop source and the counter
  std::condition_variable_any m_queued;
  std::deque<Queued> m_queue;
  std::stop_source m_jobStop;
  Generation m_lastGeneration = 0;
  std::jthread m_thread;  // last: starts when all else is ready, joins first
};

}  // namespace equipatch

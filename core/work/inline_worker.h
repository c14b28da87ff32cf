#pragma once

#include <memory>
#include <stop_token>

#include "core/work/gate.h"
#include "core/work/job.h"

namespace equipatch {

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

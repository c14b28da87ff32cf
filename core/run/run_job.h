#pragma once

#include <memory>
#include <string>

#include "core/record/run_record.h"
#include "core/run/session.h"
#include "core/work/job.h"

namespace equipatch {

/// Hears the loaded session, on the worker's thread; may only store or forward.
class SessionSink {
 public:
  virtual ~SessionSink() = default;
  virtual void sessionOpened(std::shared_ptr<const Session> session) = 0;
};

/// Loads a checkpoint and hands it to `sink`.
std::unique_ptr<Job> makeLoadJob(SessionRequest request,
                                 std::shared_ptr<SessionSink> sink);

/// Runs a comparison: prefill, then one gate passage and one record a step, until the
/// steps are done, a token ends the sequence or the context is full.
std::unique_ptr<Job> makeRunJob(std::shared_ptr<const Session> session,
                                RunRequest request, std::shared_ptr<RunSink> sink);

}  // namespace equipatch

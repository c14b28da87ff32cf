#pragma once

#include <filesystem>
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

class RunRecorder;

/// A comparison run that is recorded: `recorder` is its sink, and the file says how it
/// ended. A step that the disk refuses holds the run until it is told to go on; the step
/// is written then.
std::unique_ptr<Job> makeRecordedRunJob(std::shared_ptr<const Session> session,
                                        RunRequest request,
                                        std::shared_ptr<RunRecorder> recorder);

/// Reads a run file and tells `sink` of it as of a run that is computed. Where the file
/// is damaged, the job fails after the steps before.
std::unique_ptr<Job> makeOpenRunJob(std::filesystem::path path,
                                    std::shared_ptr<RunSink> sink);

}  // namespace equipatch

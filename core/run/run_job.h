// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "core/record/run_record.h"
#include "core/run/session.h"
#include "core/work/job.h"

namespace equipatch {

/// Receives the loaded session on the worker's thread; may only store or forward it.
class SessionSink {
 public:
  virtual ~SessionSink() = default;
  virtual void sessionOpened(std::shared_ptr<const Session> session) = 0;
};

/// Loads a checkpoint and passes the session to `sink`.
std::unique_ptr<Job> makeLoadJob(SessionRequest request,
                                 std::shared_ptr<SessionSink> sink);

/// Runs a comparison: prefill, then steps, until all are done, a token ends the sequence
/// or the context is full. Each step passes the gate once and gives one record.
std::unique_ptr<Job> makeRunJob(std::shared_ptr<const Session> session,
                                RunRequest request, std::shared_ptr<RunSink> sink);

class RunRecorder;

/// A comparison run with `recorder` as its sink; the file states how the run ended. When
/// a step cannot be written, the run pauses; resuming writes the step again.
std::unique_ptr<Job> makeRecordedRunJob(std::shared_ptr<const Session> session,
                                        RunRequest request,
                                        std::shared_ptr<RunRecorder> recorder);

/// Receives a recorded run; may only store or forward it.
class OpenedRunSink : public RunSink {
 public:
  /// Called after the header.
  virtual void endingRead(RunEnding ending) = 0;
};

/// Reads a run file and passes header, ending and steps to `sink`, like a computed run.
/// Where the file is damaged, the job fails after the readable steps.
std::unique_ptr<Job> makeOpenRunJob(std::filesystem::path path,
                                    std::shared_ptr<OpenedRunSink> sink);

}  // namespace equipatch

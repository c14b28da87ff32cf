// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "core/record/file/run_writer.h"
#include "core/record/run_record.h"
#include "core/run/prompt_images.h"
#include "core/run/session.h"
#include "core/work/job.h"

namespace equipatch {

/// Receives the loaded session on the worker's thread; may only store or forward it.
class SessionSink {
 public:
  virtual ~SessionSink() = default;
  virtual void sessionOpened(std::shared_ptr<const Session> session) = 0;
};

std::unique_ptr<Job> makeLoadJob(SessionRequest request,
                                 std::shared_ptr<SessionSink> sink);

/// Runs a comparison until the requested number of steps is reached or a token ends the
/// sequence. The run can be paused before each step.
std::unique_ptr<Job> makeRunJob(std::shared_ptr<const Session> session,
                                RunRequest request, std::shared_ptr<RunSink> sink);

/// As `makeRunJob`, with `recorder` as the sink; the job also calls `recorder->finish`.
/// When a step or the ending cannot be written, the run pauses; when it is resumed, the
/// job tries again.
std::unique_ptr<Job> makeRecordedRunJob(std::shared_ptr<const Session> session,
                                        RunRequest request,
                                        std::shared_ptr<RunRecorder> recorder);

/// Receives a recorded run; may only store or forward it.
class OpenedRunSink : public RunSink {
 public:
  /// Called after the header. Called again with Interrupted if the file turns out to be
  /// damaged, because the steps after the damage can be computed anew.
  virtual void endingRead(RunEnding ending) = 0;
};

/// A recorded run to continue.
struct UnfinishedRun {
  enum class Target {
    SameFile,   ///< adds the steps to `file`, or fails
    Possible,   ///< SameFile if possible, else OtherFile (unless `other` is empty)
    OtherFile,  ///< records the whole run in `other`, with the labels of `file`
  };
  enum class Threads {
    Recorded,  ///< as many as the run had, but no more than Present
    Present,   ///< as many as the program uses now
  };
  std::filesystem::path file;
  Target target = Target::SameFile;
  std::filesystem::path other = {};
  ExistingFile existing = ExistingFile::Refuse;  ///< if `other` exists
  Pictures pictures = {};  ///< for images of which `file` holds only the hash
  Threads threads = Threads::Recorded;
};

/// Receives a continued run; may only store or forward it.
class ContinuedRunSink : public OpenedRunSink {
 public:
  /// Called before the header. @param file will hold the whole run
  virtual void recordedIn(const std::filesystem::path& file) = 0;
  /// Called before the header with a reason why the run may differ from an uninterrupted
  /// run, or why it is recorded in another file.
  virtual void warned(const std::string& sentence) = 0;
};

/// Computes the steps that a recorded run lacks, and records them. On the same machine
/// with the same number of threads, the new steps equal those of an uninterrupted run to
/// the last bit. To check this, the job computes the last recorded step again: the job
/// fails if the token differs, and `warned` reports any other difference. `sink` also
/// receives the recorded steps, but no `endingRead`. The job also fails if the run is
/// being recorded now, or is complete and undamaged.
/// @param session opened with `sessionRequestOf`; with another dtype or other weights the
///        job fails
std::unique_ptr<Job> makeContinuedRunJob(std::shared_ptr<const Session> session,
                                         UnfinishedRun run,
                                         std::shared_ptr<ContinuedRunSink> sink);

/// Reads a run file and passes header, ending and steps to `sink`, the steps without
/// patch factors. If the file is damaged or has no finished step, the job fails after the
/// last readable step.
std::unique_ptr<Job> makeOpenRunJob(std::filesystem::path path,
                                    std::shared_ptr<OpenedRunSink> sink);

}  // namespace equipatch

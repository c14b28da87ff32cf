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

/// Loads a checkpoint and passes the session to `sink`.
std::unique_ptr<Job> makeLoadJob(SessionRequest request,
                                 std::shared_ptr<SessionSink> sink);

/// Runs a comparison: prefill, then steps, until all are done or a token ends the
/// sequence. The run can be paused before each step; each step gives one record.
std::unique_ptr<Job> makeRunJob(std::shared_ptr<const Session> session,
                                RunRequest request, std::shared_ptr<RunSink> sink);

/// A comparison run with `recorder` as its sink; the file states how the run ended. When
/// a step or the ending cannot be written, the run pauses; resuming tries again.
std::unique_ptr<Job> makeRecordedRunJob(std::shared_ptr<const Session> session,
                                        RunRequest request,
                                        std::shared_ptr<RunRecorder> recorder);

/// Receives a recorded run; may only store or forward it.
class OpenedRunSink : public RunSink {
 public:
  /// Called after the header, and again, with Interrupted, where the file turns out to be
  /// damaged: the steps after the damage can be computed anew.
  virtual void endingRead(RunEnding ending) = 0;
};

/// A recorded run to continue, and the file in which it is continued.
struct UnfinishedRun {
  enum class Target {
    SameFile,   ///< adds the steps to `file`; fails where that is not possible
    Possible,   ///< as SameFile where possible, else as OtherFile; if `other` is empty,
                ///< always as SameFile
    OtherFile,  ///< records the whole run in `other`, with the labels of `file`
  };
  enum class Threads {
    Recorded,  ///< as many as the run had, but no more than Present
    Present,   ///< the program's current number of threads
  };
  std::filesystem::path file;
  Target target = Target::SameFile;
  std::filesystem::path other = {};              ///< a run file
  ExistingFile existing = ExistingFile::Refuse;  ///< if `other` exists
  Pictures pictures = {};  ///< of images of which the file holds only the hash
  Threads threads = Threads::Recorded;
};

/// Receives a continued run; may only store or forward it.
class ContinuedRunSink : public OpenedRunSink {
 public:
  /// Called before the header. @param file holds the whole run in the end
  virtual void recordedIn(const std::filesystem::path& file) = 0;
  /// Called before the header with a reason why the run may differ from one that was
  /// never interrupted, or why it is recorded in another file.
  virtual void warned(const std::string& sentence) = 0;
};

/// Computes the steps that a recorded run lacks, from its tokens and with its settings,
/// and records them. On the same machine with the same number of threads, the new steps
/// equal those of an undisturbed run to the last bit. To check this, the job computes the
/// last recorded step again: it fails if the token differs, and `warned` reports any
/// other difference. The sink gets the recorded steps, too, but no `endingRead`. The job
/// also fails if the run is complete or is being recorded now.
/// @param session opened as `sessionRequestOf` says; with other weights the job fails
std::unique_ptr<Job> makeContinuedRunJob(std::shared_ptr<const Session> session,
                                         UnfinishedRun run,
                                         std::shared_ptr<ContinuedRunSink> sink);

/// Reads a run file and passes header, ending and steps to `sink`, like a computed run.
/// Where the file is damaged or has no finished step, the job fails after the readable
/// steps.
std::unique_ptr<Job> makeOpenRunJob(std::filesystem::path path,
                                    std::shared_ptr<OpenedRunSink> sink);

}  // namespace equipatch

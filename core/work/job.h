#pragma once

#include <cstdint>
#include <string>

#include "core/base/error.h"

namespace equipatch {

class Control;

/// Something long that a worker does: loading a checkpoint, a comparison run, an
/// experiment. Constructed on the caller's thread, run once on the worker's, destroyed on
/// the worker's.
class Job {
 public:
  virtual ~Job() = default;

  /// Short, for the status line: "Load gemma-3-1b".
  virtual std::string name() const = 0;

  /// Does the work; returns early when `control` says so. Typed results go to the sink
  /// the job was given at construction. May throw anything; the worker turns it into one
  /// event.
  virtual void run(Control& control) = 0;
};

/// Number of a started job. Later jobs have larger numbers; 0 is never used. Receivers
/// drop events and results whose generation is no longer current.
using Generation = std::uint64_t;

/// What the worker tells about a job. Called on the worker's thread and allowed only to
/// store or forward. For every job: started, then any of progress/paused/resumed, then
/// exactly one of finished, cancelled, failed.
class WorkerListener {
 public:
  virtual ~WorkerListener() = default;

  virtual void jobStarted(Generation, const std::string& name) = 0;
  virtual void jobProgressed(Generation, double fraction, const std::string& label) = 0;
  virtual void jobPaused(Generation) = 0;
  virtual void jobResumed(Generation) = 0;
  /// The job waits, paused, for something that only the user can mend.
  virtual void jobHeld(Generation, const Error&) {}
  virtual void jobFinished(Generation) = 0;
  virtual void jobCancelled(Generation) = 0;
  virtual void jobFailed(Generation, const Error& error) = 0;
};

}  // namespace equipatch

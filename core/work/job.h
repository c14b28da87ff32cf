// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "core/base/error.h"

namespace equipatch {

class Control;

/// Long work for a worker, such as loading a checkpoint. The worker's thread runs the job
/// once (never if a stop was requested before) and destroys it.
class Job {
 public:
  virtual ~Job() = default;

  /// A short name for the status line: "Load gemma-3-1b".
  virtual std::string name() const = 0;

  /// Returns early when `control` requests a stop. The worker reports Error{Cancelled} as
  /// jobCancelled and any other exception as jobFailed.
  virtual void run(Control& control) = 0;
};

class FunctionJob final : public Job {
 public:
  FunctionJob(std::string name, std::function<void(Control&)> work)
      : m_name(std::move(name)), m_work(std::move(work)) {}
  std::string name() const override { return m_name; }
  void run(Control& control) override { m_work(control); }

 private:
  std::string m_name;
  std::function<void(Control&)> m_work;
};

/// The number of a started job. Each worker numbers its jobs 1, 2, …; receivers drop
/// events and results of older jobs.
using Generation = std::uint64_t;

/// Receives a job's events on the worker's thread; the job waits meanwhile. The methods
/// may pause, resume, step and stop jobs of their worker, but must not wait for a job.
/// Order of events: started; any of progressed, paused, resumed, held; exactly one of
/// finished, cancelled, failed.
class WorkerListener {
 public:
  virtual ~WorkerListener() = default;

  virtual void jobStarted(Generation, const std::string& name) = 0;
  virtual void jobProgressed(Generation, double fraction, const std::string& label) = 0;
  virtual void jobPaused(Generation) = 0;
  virtual void jobResumed(Generation) = 0;
  /// The job waits until it is resumed. The error is the cause, such as a full disk.
  virtual void jobHeld(Generation, const Error&) {}
  virtual void jobFinished(Generation) = 0;
  virtual void jobCancelled(Generation) = 0;
  virtual void jobFailed(Generation, const Error& error) = 0;
};

}  // namespace equipatch

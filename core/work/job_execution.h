// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/base/error.h"
#include "core/work/control.h"
#include "core/work/job.h"

namespace equipatch {

/// How a job ended.
struct JobOutcome {
  enum class Kind { Finished, Cancelled, Failed };
  Kind kind = Kind::Finished;
  std::optional<Error> error;  ///< of a failed job
};

/// Reports the start to `listener`, runs the job and destroys it. A job with a stop
/// request before its start is not run. Exceptions end here: a job that returns after a
/// stop request, or throws Error{Cancelled}, was cancelled; any other exception is a
/// failure even after a stop request, so that its reason is kept.
JobOutcome execute(std::unique_ptr<Job> job, Control& control, WorkerListener& listener);

/// Sends the event for the outcome: finished, cancelled or failed.
void reportEnd(const JobOutcome& outcome, Generation generation,
               WorkerListener& listener);

/// The exception being handled, as an Error. Exceptions of libtorch and the standard
/// library become a message that begins with `task` and keeps only their first line,
/// because libtorch appends a backtrace. Call it inside a catch block only.
Error currentError(const std::string& task);

}  // namespace equipatch

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

/// Tells `listener` that the job started, runs it and destroys it. A job whose stop was
/// requested before it began is not run. Whatever the job throws ends here: a job that
/// returns after its stop was requested, or throws Error{Cancelled}, was cancelled; all
/// else that is thrown is a failure, stop or no stop, so that no reason is lost.
JobOutcome execute(std::unique_ptr<Job> job, Control& control, WorkerListener& listener);

/// Tells the one event that ends the job's story.
void tell(const JobOutcome& outcome, Generation generation, WorkerListener& listener);

/// The exception being handled as an Error. Foreign ones (libtorch's, the standard
/// library's) become one sentence that begins with `task`; only the first line of theirs
/// is kept, since libtorch appends a backtrace. Call inside a catch block only.
Error currentError(const std::string& task);

}  // namespace equipatch

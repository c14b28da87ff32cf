// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/work/job_execution.h"

#include <new>
#include <string_view>

namespace equipatch {

namespace {

std::string firstLine(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

JobOutcome failed(const std::string& task) {
  Error error = currentError(task);
  if (error.kind() == ErrorKind::Cancelled) return {JobOutcome::Kind::Cancelled, {}};
  return {JobOutcome::Kind::Failed, std::move(error)};
}

}  // namespace

Error currentError(const std::string& task) {
  try {
    throw;
  } catch (const Error& error) {
    return error;
  } catch (const std::bad_alloc&) {
    return Error(ErrorKind::Resource,
                 task +
                     ": memory ran out; close other programs, or choose a smaller "
                     "model or dtype");
  } catch (const std::exception& error) {
    return Error(ErrorKind::Numeric, task + ": the computation failed with '" +
                                         firstLine(error.what()) + "'");
  } catch (...) {
    return Error(ErrorKind::Numeric,
                 task + ": the computation failed without saying why");
  }
}

JobOutcome execute(std::unique_ptr<Job> job, Control& control, WorkerListener& listener) {
  std::string task = "unnamed job";
  std::optional<JobOutcome> nameless;
  try {
    task = job->name();
  } catch (...) {
    nameless = failed(task);
  }
  listener.jobStarted(control.generation(), task);
  if (nameless) return *nameless;
  try {
    if (!control.stopRequested()) job->run(control);
    job.reset();
  } catch (...) {
    return failed(task);
  }
  const bool stopped = control.stopRequested();
  return {stopped ? JobOutcome::Kind::Cancelled : JobOutcome::Kind::Finished, {}};
}

void reportEnd(const JobOutcome& outcome, Generation generation,
               WorkerListener& listener) {
  switch (outcome.kind) {
    case JobOutcome::Kind::Finished:
      return listener.jobFinished(generation);
    case JobOutcome::Kind::Cancelled:
      return listener.jobCancelled(generation);
    case JobOutcome::Kind::Failed:
      return listener.jobFailed(generation, *outcome.error);
  }
}

}  // namespace equipatch

#include "app/cli/foreground.h"

#include <iostream>
#include <utility>

#include "core/run/memory_check.h"
#include "core/run/model_folder.h"
#include "core/run/run_job.h"

namespace equipatch::cli {

namespace {

class KeptSession final : public SessionSink {
 public:
  void sessionOpened(std::shared_ptr<const Session> opened) override {
    session = std::move(opened);
  }
  std::shared_ptr<const Session> session;
};

/// In one line on standard error, so that output stays what it is.
void warnOfMemory(const SessionRequest& request) {
  if (const auto shortage = findShortage(request))
    std::cerr << "warning: " << shortage->sentence << std::endl;
}

}  // namespace

std::optional<Error> Foreground::run(std::unique_ptr<Job> job) {
  m_problem.reset();
  m_worker.run(std::move(job));
  return m_problem;
}

std::shared_ptr<const Session> Foreground::open(const SessionRequest& request) {
  const auto kept = std::make_shared<KeptSession>();
  warnOfMemory(request);
  if (const auto problem = run(makeLoadJob(request, kept))) throw *problem;
  rememberModel(kept->session->folder());
  return kept->session;
}

void Foreground::jobCancelled(Generation) {
  m_problem = Error(ErrorKind::Cancelled, "stopped on request");
}

void Foreground::jobFailed(Generation, const Error& error) {
  m_problem = error;
}

}  // namespace equipatch::cli

#include "app/cli/foreground.h"

#include <utility>

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

}  // namespace

std::optional<Error> Foreground::run(std::unique_ptr<Job> job) {
  m_problem.reset();
  m_worker.run(std::move(job));
  return m_problem;
}

std::shared_ptr<const Session> Foreground::open(const SessionRequest& request) {
  const auto kept = std::make_shared<KeptSession>();
  if (const auto problem = run(makeLoadJob(request, kept))) throw *problem;
  return kept->session;
}

void Foreground::jobCancelled(Generation) {
  m_problem = Error(ErrorKind::Cancelled, "stopped on request");
}

void Foreground::jobFailed(Generation, const Error& error) {
  m_problem = error;
}

}  // namespace equipatch::cli

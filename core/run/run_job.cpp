#include "core/run/run_job.h"

#include "core/run/backend.h"
#include "core/work/control.h"

namespace equipatch {
namespace {

class LoadJob final : public Job {
 public:
  LoadJob(SessionRequest request, std::shared_ptr<SessionSink> sink)
      : m_request(std::move(request)), m_sink(std::move(sink)) {}

  std::string name() const override {
    return "Load " + m_request.folder.filename().string();
  }

  void run(Control& control) override {
    m_sink->sessionOpened(Session::open(m_request, control));
  }

 private:
  SessionRequest m_request;
  std::shared_ptr<SessionSink> m_sink;
};

class RunJob final : public Job {
 public:
  RunJob(std::shared_ptr<const Session> session, RunRequest request,
         std::shared_ptr<RunSink> sink)
      : m_session(std::move(session)),
        m_request(std::move(request)),
        m_sink(std::move(sink)) {}

  std::string name() const override { return "Run " + m_session->modelName(); }

  void run(Control& control) override {
    const auto total = static_cast<double>(m_request.steps);
    const auto comparison = backend().makeComparison(m_session, std::move(m_request));
    m_sink->runStarted(std::make_shared<const RunHeader>(comparison->header()));
    comparison->prefill(control);
    double taken = 0.0;
    while (!comparison->done() && control.pass()) {
      m_sink->stepTaken(comparison->step());
      control.report(++taken / total, "Generating");
    }
    control.throwIfStopped();
  }

 private:
  std::shared_ptr<const Session> m_session;
  RunRequest m_request;
  std::shared_ptr<RunSink> m_sink;
};

}  // namespace

std::unique_ptr<Job> makeLoadJob(SessionRequest request,
                                 std::shared_ptr<SessionSink> sink) {
  return std::make_unique<LoadJob>(std::move(request), std::move(sink));
}

std::unique_ptr<Job> makeRunJob(std::shared_ptr<const Session> session,
                                RunRequest request, std::shared_ptr<RunSink> sink) {
  return std::make_unique<RunJob>(std::move(session), std::move(request),
                                  std::move(sink));
}

}  // namespace equipatch

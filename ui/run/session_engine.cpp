#include "ui/run/session_engine.h"

#include <utility>

#include "core/run/run_job.h"

namespace equipatch {
namespace {

LoadedModel describe(const std::shared_ptr<const Session>& session) {
  LoadedModel model;
  model.name = session->modelName();
  model.folder = session->folder().string();
  model.spec = session->spec();
  model.dtype = session->dtype();
  model.device = session->device();
  model.parameters = session->parameterCount();
  model.unreadKeys = session->unreadKeys();
  model.unreadTensors = session->unreadTensors();
  if (session->hasTokenizer())
    model.tokenizer = std::shared_ptr<const Tokenizer>(session, &session->tokenizer());
  model.session = session;
  return model;
}

class Forward final : public SessionSink {
 public:
  explicit Forward(std::shared_ptr<ModelSink> sink) : m_sink(std::move(sink)) {}
  void sessionOpened(std::shared_ptr<const Session> session) override {
    m_sink->modelLoaded(std::make_shared<const LoadedModel>(describe(session)));
  }

 private:
  std::shared_ptr<ModelSink> m_sink;
};

}  // namespace

std::unique_ptr<Job> SessionEngine::makeLoadJob(const SessionRequest& request,
                                                std::shared_ptr<ModelSink> sink) {
  return equipatch::makeLoadJob(request, std::make_shared<Forward>(std::move(sink)));
}

std::unique_ptr<Job> SessionEngine::makeRunJob(const LoadedModel& model,
                                               const RunRequest& request,
                                               std::shared_ptr<RunSink> sink) {
  return equipatch::makeRunJob(model.session, request, std::move(sink));
}

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/session_engine.h"

#include <utility>

#include "core/record/file/run_writer.h"
#include "core/run/backend.h"
#include "core/run/model_list.h"
#include "core/run/rerun.h"
#include "core/run/run_job.h"
#include "core/run/run_origin.h"
#include "core/work/control.h"

namespace equipatch {
namespace {

LoadedModel describe(const std::shared_ptr<const Session>& session) {
  LoadedModel model;
  model.name = nameOf(session->folder());
  model.folder = session->folder().string();
  model.origin = provenanceOf(*session);
  model.spec = session->spec();
  model.dtype = session->dtype();
  model.computesFloat32 = session->computesFloat32();
  model.device = session->device();
  model.weights = session->weightPlace();
  model.parameters = session->parameterCount();
  model.visionParameters = session->visionParameterCount();
  model.unreadKeys = session->unreadKeys();
  model.unreadTensors = session->unreadTensors();
  model.plan = planPatch(session->spec());
  model.memory = describeModelFolder(session->folder()).needs;
  try {
    model.tokenizer = std::shared_ptr<const Tokenizer>(session, &session->tokenizer());
  } catch (const Error& error) {
    model.tokenizerProblem = error.what();  // runs from token ids need no tokenizer
  }
  try {
    if (const auto chat = ChatTemplate::find(session->folder()); chat && model.tokenizer)
      model.chat = std::make_shared<const ChatTemplate>(*chat);
  } catch (const Error& error) {
    model.chatProblem = error.what();  // the model can be used without chat template
  }
  model.session = session;
  return model;
}

class Forward final : public SessionSink {
 public:
  explicit Forward(std::shared_ptr<ModelSink> sink) : m_sink(std::move(sink)) {}
  void sessionOpened(std::shared_ptr<const Session> session) override {
    rememberModel(session->folder());
    m_sink->modelLoaded(std::make_shared<const LoadedModel>(describe(session)));
  }

 private:
  std::shared_ptr<ModelSink> m_sink;
};

/// Finds the model's folder, checks the free memory (with MemoryCheck::Ask), and loads
/// the model.
class CheckedLoadJob final : public Job {
 public:
  CheckedLoadJob(SessionRequest request, MemoryCheck check,
                 std::shared_ptr<ModelSink> sink)
      : m_request(std::move(request)), m_check(check), m_sink(std::move(sink)) {}

  std::string name() const override { return "Load " + nameOf(m_request.folder); }

  void run(Control& control) override {
    control.report(0.0, "Checking the files");
    m_request.folder = modelFolder(m_request.folder.string());
    if (m_check == MemoryCheck::Ask)
      if (auto shortage = findShortage(m_request))
        return m_sink->memoryShortage(
            std::make_shared<const MemoryShortage>(std::move(*shortage)));
    equipatch::makeLoadJob(m_request, std::make_shared<Forward>(m_sink))->run(control);
  }

 private:
  SessionRequest m_request;
  MemoryCheck m_check;
  std::shared_ptr<ModelSink> m_sink;
};

class PromptJob final : public Job {
 public:
  PromptJob(const LoadedModel& model, PromptSource source,
            std::shared_ptr<PromptSink> sink)
      : m_chat(model.chat),
        m_tokenizer(model.tokenizer),
        m_vision(model.spec.vision),
        m_source(std::move(source)),
        m_sink(std::move(sink)) {}

  std::string name() const override { return "Prepare the prompt"; }

  void run(Control& control) override {
    auto prompt = std::make_shared<const PreparedPrompt>(
        preparePrompt(m_source, *m_tokenizer, m_chat.get(), control.stopToken(),
                      m_vision ? &*m_vision : nullptr));
    control.throwIfStopped();
    m_sink->promptPrepared(std::move(prompt));
  }

 private:
  std::shared_ptr<const ChatTemplate> m_chat;
  std::shared_ptr<const Tokenizer> m_tokenizer;
  std::optional<VisionSpec> m_vision;
  PromptSource m_source;
  std::shared_ptr<PromptSink> m_sink;
};

}  // namespace

SessionEngine::SessionEngine() : m_parity(std::make_shared<ParityBook>()) {}

void SessionEngine::requireModel(const std::string& name) {
  modelFolder(name);
}

void SessionEngine::requireModelOf(const RunHeader& run) {
  equipatch::requireModelOf(run, "load it from its folder here, then try again");
}

std::unique_ptr<Job> SessionEngine::makeLoadJob(const SessionRequest& request,
                                                MemoryCheck check,
                                                std::shared_ptr<ModelSink> sink) {
  return std::make_unique<CheckedLoadJob>(request, check, std::move(sink));
}

std::unique_ptr<Job> SessionEngine::makeListJob(std::shared_ptr<ModelListSink> sink,
                                                const Folders& forgotten) {
  const auto places = [forgotten] {
    for (const std::filesystem::path& folder : forgotten) forgetModel(folder);
    return ModelPlaces::ofThisUser();
  };
  return makeModelListJob(places, m_parity, std::move(sink));
}

std::unique_ptr<Job> SessionEngine::makePromptJob(const LoadedModel& model,
                                                  const PromptSource& source,
                                                  std::shared_ptr<PromptSink> sink) {
  return std::make_unique<PromptJob>(model, source, std::move(sink));
}

std::unique_ptr<Job> SessionEngine::makeRunJob(const LoadedModel& model,
                                               const RunRequest& request,
                                               const std::filesystem::path& record,
                                               std::shared_ptr<RunSink> sink) {
  if (record.empty())
    return equipatch::makeRunJob(model.session, request, std::move(sink));
  return makeRecordedRunJob(
      model.session, request,
      std::make_shared<RunRecorder>(record, ExistingFile::Refuse, std::move(sink)));
}

std::unique_ptr<Job> SessionEngine::makeContinueJob(
    const LoadedModel& model, const UnfinishedRun& run,
    std::shared_ptr<ContinuedRunSink> sink) {
  return makeContinuedRunJob(model.session, run, std::move(sink));
}

std::unique_ptr<Job> SessionEngine::makeExportJob(
    std::shared_ptr<const LoadedModel> model, const ExportRequest& request,
    std::shared_ptr<ExportSink> sink) {
  return equipatch::makeExportJob(model ? model->session : nullptr, request,
                                  std::move(sink));
}

std::unique_ptr<Job> SessionEngine::makeOpenRunJob(const std::filesystem::path& file,
                                                   std::shared_ptr<OpenedRunSink> sink) {
  return equipatch::makeOpenRunJob(file, std::move(sink));
}

std::shared_ptr<StepReplay> SessionEngine::makeReplay(const LoadedModel& model) {
  return backend().makeStepReplay(model.session);
}

std::unique_ptr<Job> SessionEngine::makeImageMapJob(const LoadedModel& model,
                                                    const ImageMapRequest& request,
                                                    std::shared_ptr<ImageMapSink> sink) {
  return equipatch::makeImageMapJob(model.session, request, std::move(sink));
}

const std::vector<Experiment>& SessionEngine::experiments() {
  return backend().experiments();
}

std::unique_ptr<Job> SessionEngine::makeLabJob(const LabRequest& request,
                                               std::shared_ptr<LabSink> sink) {
  return backend().makeLabJob(request, std::move(sink));
}

}  // namespace equipatch

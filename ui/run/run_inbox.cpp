#include "ui/run/run_controller.h"

#include <utility>

namespace equipatch {

class RunInbox::Sink final : public ModelSink, public RunSink, public PromptSink {
 public:
  Sink(std::shared_ptr<RunInbox> owner, Generation generation)
      : m_owner(std::move(owner)), m_generation(generation) {}

  void modelLoaded(std::shared_ptr<const LoadedModel> model) override {
    put(std::move(model));
  }
  void memoryShortage(std::shared_ptr<const MemoryShortage> shortage) override {
    put(std::move(shortage));
  }
  void promptPrepared(std::shared_ptr<const PreparedPrompt> prompt) override {
    put(std::move(prompt));
  }
  void runStarted(std::shared_ptr<const RunHeader> header) override {
    put(std::move(header));
  }
  void stepTaken(std::shared_ptr<const StepRecord> record) override {
    put(std::move(record));
  }

 private:
  void put(Item item) { m_owner->m_inbox.put(m_generation, std::move(item)); }

  std::shared_ptr<RunInbox> m_owner;
  Generation m_generation;
};

std::shared_ptr<RunInbox::Sink> RunInbox::makeSink() {
  return std::make_shared<Sink>(shared_from_this(), m_inbox.renew());
}

std::shared_ptr<ModelSink> RunInbox::makeModelSink() {
  return makeSink();
}

std::shared_ptr<RunSink> RunInbox::makeRunSink() {
  return makeSink();
}

std::shared_ptr<PromptSink> RunInbox::makePromptSink() {
  return makeSink();
}

}  // namespace equipatch

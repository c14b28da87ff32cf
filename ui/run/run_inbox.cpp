// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/run_inbox.h"

#include <utility>

namespace equipatch {

class RunInbox::Sink final : public ModelSink,
                             public ContinuedRunSink,
                             public PromptSink {
 public:
  Sink(std::shared_ptr<RunInbox> owner, Round round)
      : m_owner(std::move(owner)), m_round(round) {}

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
  void endingRead(RunEnding ending) override { put(ending); }
  void recordedIn(const std::filesystem::path& file) override { put(file); }
  void warned(const std::string& sentence) override { put(sentence); }

 private:
  void put(Item item) { m_owner->m_inbox.put(m_round, std::move(item)); }

  std::shared_ptr<RunInbox> m_owner;
  Round m_round;
};

std::shared_ptr<RunInbox::Sink> RunInbox::makeSink() {
  return std::make_shared<Sink>(shared_from_this(), m_inbox.renew());
}

std::shared_ptr<ModelSink> RunInbox::makeModelSink() {
  return makeSink();
}

std::shared_ptr<ContinuedRunSink> RunInbox::makeRunSink() {
  return makeSink();
}

std::shared_ptr<PromptSink> RunInbox::makePromptSink() {
  return makeSink();
}

}  // namespace equipatch

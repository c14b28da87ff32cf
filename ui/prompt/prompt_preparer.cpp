// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompt/prompt_preparer.h"

#include <QMetaObject>
#include <utility>

namespace equipatch {

/// Called on the worker's thread, which ends before the preparer does.
class PromptPreparer::Sink final : public PromptSink {
 public:
  Sink(PromptPreparer& owner, Round round) : m_owner(owner), m_round(round) {}

  void promptPrepared(std::shared_ptr<const PreparedPrompt> prompt) override {
    QMetaObject::invokeMethod(
        &m_owner,
        [owner = &m_owner, round = m_round, prompt = std::move(prompt)] {
          if (round == owner->m_round) Q_EMIT owner->prepared(prompt);
        },
        Qt::QueuedConnection);
  }

 private:
  PromptPreparer& m_owner;
  Round m_round;
};

PromptPreparer::PromptPreparer(Engine& engine, QObject* parent)
    : QObject(parent), m_engine(engine), m_worker(m_bridge) {
  connect(&m_bridge, &WorkerBridge::failed, this, &PromptPreparer::failed);
}

void PromptPreparer::prepare(const std::shared_ptr<const LoadedModel>& model,
                             const PromptSource& source) {
  m_worker.stop();
  ++m_round;
  m_bridge.follow(m_worker.start(
      m_engine.makePromptJob(*model, source, std::make_shared<Sink>(*this, m_round))));
}

}  // namespace equipatch

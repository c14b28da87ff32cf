#include "ui/prompt/prompt_preparer.h"

#include <QMetaObject>
#include <utility>

namespace equipatch {

/// Used on the worker's thread only, which ends before the writer does.
class PromptPreparer::Sink final : public ChatSink {
 public:
  Sink(PromptPreparer& owner, Generation round) : m_owner(owner), m_round(round) {}

  void chatWritten(std::shared_ptr<const WrittenChat> chat) override {
    QMetaObject::invokeMethod(
        &m_owner,
        [owner = &m_owner, round = m_round, chat = std::move(chat)] {
          if (round == owner->m_round) Q_EMIT owner->written(chat);
        },
        Qt::QueuedConnection);
  }

 private:
  PromptPreparer& m_owner;
  Generation m_round;
};

PromptPreparer::PromptPreparer(Engine& engine, QObject* parent)
    : QObject(parent), m_engine(engine), m_worker(m_bridge) {
  connect(&m_bridge, &WorkerBridge::failed, this, &PromptPreparer::failed);
}

void PromptPreparer::write(const std::shared_ptr<const LoadedModel>& model,
                           const QString& message) {
  m_worker.stop();
  ++m_round;
  m_bridge.follow(m_worker.start(m_engine.makeChatJob(
      *model, message.toStdString(), std::make_shared<Sink>(*this, m_round))));
}

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/bare_text.h"

#include <QMetaObject>
#include <memory>

#include "core/record/context_effect.h"

namespace equipatch {

/// Joins the tokens of a run and sends the text to the window's thread.
class BareText::Sink final : public RunSink {
 public:
  Sink(BareText& owner, Round round) : m_owner(owner), m_round(round) {}

  void runStarted(std::shared_ptr<const RunHeader>) override {}
  void stepTaken(std::shared_ptr<const StepRecord> record) override {
    m_steps.push_back(withoutVectors(*record));
    const QString text = QString::fromStdString(continuedText(m_steps).text);
    QMetaObject::invokeMethod(
        &m_owner,
        [owner = &m_owner, round = m_round, text] {
          if (round == owner->m_round) Q_EMIT owner->written(text);
        },
        Qt::QueuedConnection);
  }

 private:
  BareText& m_owner;
  Round m_round;
  Steps m_steps;
};

BareText::BareText(Engine& engine, QObject* parent)
    : QObject(parent), m_engine(engine), m_worker(m_bridge) {
  connect(&m_bridge, &WorkerBridge::failed, this, &BareText::failed);
}

void BareText::request(const LoadedModel& model, const RunRequest& run) {
  stop();
  m_bridge.follow(m_worker.start(
      m_engine.makeRunJob(model, run, {}, std::make_shared<Sink>(*this, m_round))));
}

void BareText::stop() {
  ++m_round;
  m_bridge.followNone();
  m_worker.stop();
}

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/strength_probe.h"

#include <QMetaObject>
#include <utility>

#include "core/work/control.h"

namespace equipatch {

/// Sends readings from the worker's thread to the window's. The worker's thread ends
/// before the probe is destroyed.
class StrengthProbe::Sink final {
 public:
  Sink(StrengthProbe& owner, Round round) : m_owner(owner), m_round(round) {}

  void put(std::shared_ptr<const StrengthReading> reading) const {
    QMetaObject::invokeMethod(
        &m_owner,
        [owner = &m_owner, round = m_round, reading = std::move(reading)] {
          if (round == owner->m_round) Q_EMIT owner->read(reading);
        },
        Qt::QueuedConnection);
  }

 private:
  StrengthProbe& m_owner;
  Round m_round;
};

class StrengthProbe::ReadJob final : public Job {
 public:
  /// @param superseded becomes true when a newer request for the same step waits
  ReadJob(std::shared_ptr<StepReplay> replay, Request request,
          std::shared_ptr<const std::atomic<bool>> superseded, Sink sink)
      : m_replay(std::move(replay)),
        m_request(std::move(request)),
        m_superseded(std::move(superseded)),
        m_sink(sink) {}

  std::string name() const override { return "Try patch strengths"; }

  void run(Control& control) override {
    m_replay->open(m_request.step, control);
    for (const PatchStrength& strength : m_request.strengths) {
      m_sink.put(
          std::make_shared<const StrengthReading>(m_replay->read(strength, control)));
      control.throwIfStopped();
      if (*m_superseded) return;
    }
  }

 private:
  std::shared_ptr<StepReplay> m_replay;
  Request m_request;
  std::shared_ptr<const std::atomic<bool>> m_superseded;
  Sink m_sink;
};

StrengthProbe::StrengthProbe(Engine& engine, QObject* parent)
    : QObject(parent), m_engine(engine), m_worker(m_bridge) {
  connect(&m_bridge, &WorkerBridge::progressed, this, &StrengthProbe::progressed);
  connect(&m_bridge, &WorkerBridge::finished, this, &StrengthProbe::ended);
  connect(&m_bridge, &WorkerBridge::cancelled, this, &StrengthProbe::ended);
  connect(&m_bridge, &WorkerBridge::failed, this, [this](const QString& sentence) {
    const bool isWanted = !m_next && m_roundStarted == m_round;
    ended();
    if (isWanted) Q_EMIT failed(sentence);
  });
}

void StrengthProbe::setModel(const std::shared_ptr<const LoadedModel>& model) {
  stop();
  m_replay = model ? m_engine.makeReplay(*model) : nullptr;
}

void StrengthProbe::request(ReplayedStep step, std::vector<PatchStrength> strengths) {
  const bool isSameStep = m_step == step;
  if (!isSameStep) ++m_round;
  m_step = step;
  m_next = std::make_unique<Request>(Request{std::move(step), std::move(strengths)});
  if (!m_busy) return startNext();
  // A job for the same step finishes its current pass: with a slow model, the window
  // would otherwise show nothing while the slider moves.
  if (isSameStep)
    *m_superseded = true;
  else
    m_worker.stop();
}

void StrengthProbe::stop() {
  ++m_round;
  m_step = {};
  m_next.reset();
  m_worker.stop();
}

void StrengthProbe::startNext() {
  m_busy = true;
  m_roundStarted = m_round;
  m_superseded = std::make_shared<std::atomic<bool>>(false);
  m_bridge.follow(m_worker.start(
      std::make_unique<ReadJob>(m_replay, std::move(*std::exchange(m_next, nullptr)),
                                m_superseded, Sink(*this, m_round))));
}

void StrengthProbe::ended() {
  m_busy = false;
  if (m_next) startNext();
}

}  // namespace equipatch

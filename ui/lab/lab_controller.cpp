// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/lab_controller.h"

#include <QStandardPaths>
#include <tuple>
#include <utility>

#include "core/base/error.h"
#include "core/record/lab_result.h"
#include "ui/run/run_files.h"

namespace equipatch {
namespace {
constexpr int kLabDrainMilliseconds = 50;
}  // namespace

/// Called on the worker's thread. Results of earlier experiments are dropped.
class LabController::Sink final : public LabSink {
 public:
  explicit Sink(std::shared_ptr<Results> results)
      : m_results(std::move(results)), m_round(m_results->renew()) {}

  void labUpdated(std::shared_ptr<const LabResult> result) override {
    m_results->put(m_round, std::move(result));
  }

 private:
  std::shared_ptr<Results> m_results;
  Round m_round;
};

LabController::LabController(Engine& engine, SharedWorker& worker, QObject* parent)
    : QObject(parent),
      m_engine(engine),
      m_worker(worker),
      m_bridge(worker.addUser()),
      m_results(std::make_shared<Results>()) {
  m_timer.setInterval(kLabDrainMilliseconds);
  connect(&m_timer, &QTimer::timeout, this, &LabController::drain);
  connectBridge();
}

QString LabController::folder() {
  return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) +
         QStringLiteral("/lab");
}

void LabController::connectBridge() {
  connect(&m_bridge, &WorkerBridge::progressed, this, &LabController::progressed);
  connect(&m_bridge, &WorkerBridge::paused, this, [this] {
    drain();
    if (m_phase == Phase::Running) setPhase(Phase::Paused);
  });
  connect(&m_bridge, &WorkerBridge::resumed, this, [this] {
    if (m_phase == Phase::Paused) setPhase(Phase::Running);
  });
  connect(&m_bridge, &WorkerBridge::finished, this, &LabController::ended);
  connect(&m_bridge, &WorkerBridge::cancelled, this, &LabController::ended);
  connect(&m_bridge, &WorkerBridge::failed, this, [this](const QString& sentence) {
    ended();
    Q_EMIT failed(sentence);
  });
}

void LabController::start(const LabRequest& request) {
  finish();
  m_before = {std::exchange(m_result, nullptr), std::exchange(m_file, {})};
  m_request = request;
  Q_EMIT resultChanged();
  m_worker.start(m_bridge,
                 m_engine.makeLabJob(request, std::make_shared<Sink>(m_results)));
  m_timer.start();
  setPhase(Phase::Running);
}

std::shared_ptr<const LabResult> LabController::resultOf(
    const std::string& experiment) const {
  if (m_result && m_result->experiment == experiment) return m_result;
  const auto found = m_kept.find(experiment);
  return found == m_kept.end() ? nullptr : found->second.result;
}

bool LabController::showAgain(const LabRequest& request) {
  const auto found = m_kept.find(request.experiment);
  if (found == m_kept.end()) return false;
  const Kept kept = found->second;  // a copy: finish() may keep another result
  if (kept.choices != request.settings.choices() || kept.seed != request.seed)
    return false;
  finish();
  m_result = kept.result;
  m_file = kept.file;
  Q_EMIT resultChanged();
  Q_EMIT phaseChanged();  // updates texts that name the file
  return true;
}

void LabController::pause() {
  if (m_phase == Phase::Running) m_worker.pause(m_bridge);
}

void LabController::resume() {
  if (m_phase == Phase::Paused) m_worker.resume(m_bridge);
}

void LabController::stop() {
  if (m_phase == Phase::Idle || m_phase == Phase::Stopping) return;
  m_worker.stop(m_bridge);
  setPhase(Phase::Stopping);
}

void LabController::finish() {
  m_worker.stop(m_bridge);
  m_bridge.followNone();  // drops later events of the stopped job
  ended();
}

void LabController::setPhase(Phase phase) {
  if (phase == m_phase) return;
  m_phase = phase;
  Q_EMIT phaseChanged();
}

void LabController::drain() {
  auto results = m_results->take();
  if (results.empty()) return;
  m_result = std::move(results.back());
  Q_EMIT resultChanged();
}

void LabController::ended() {
  if (m_phase == Phase::Idle) return;
  m_timer.stop();
  drain();
  if (!m_result) {  // nothing was computed: show the earlier result again
    std::tie(m_result, m_file) = std::exchange(m_before, {});
    Q_EMIT resultChanged();
    return setPhase(Phase::Idle);
  }
  if (!m_result->panels.empty()) save();
  if (m_result->finished && m_request)
    m_kept[m_request->experiment] = {m_result, m_file, m_request->settings.choices(),
                                     m_request->seed};
  setPhase(Phase::Idle);
}

void LabController::save() {
  const QString path = datedFile(
      folder(), {QString::fromStdString(m_result->experiment), QStringLiteral(".json")});
  try {
    if (path.isEmpty())
      throw Error(ErrorKind::Resource,
                  "no file can be made in the folder " + folder().toStdString() +
                      "; make the folder writable, then run it again");
    saveLabResult(*m_result, path.toStdString());
    m_file = path;
  } catch (const Error& error) {
    Q_EMIT failed(tr("The experiment's result is not saved: %1")
                      .arg(QString::fromUtf8(error.what())));
  }
}

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompt/picture_mapper.h"

#include <utility>

namespace equipatch {

/// Puts a map into the inbox, from which the window's thread takes it. A job may outlive
/// the mapper, so the sink shares ownership of the inbox.
class PictureMapper::Sink final : public ImageMapSink {
 public:
  explicit Sink(std::shared_ptr<Results> results)
      : m_results(std::move(results)), m_round(m_results->renew()) {}

  void imageMapped(std::shared_ptr<const MappedImage> mapped) override {
    m_results->put(m_round, std::move(mapped));
  }

 private:
  std::shared_ptr<Results> m_results;
  Round m_round;
};

PictureMapper::PictureMapper(Engine& engine, SharedWorker& worker,
                             const RunController& runs, QObject* parent)
    : QObject(parent),
      m_engine(engine),
      m_worker(worker),
      m_bridge(worker.addUser()),
      m_runs(runs) {
  connect(&m_bridge, &WorkerBridge::progressed, this,
          [this](double fraction) { Q_EMIT progressed(m_number, fraction); });
  connect(&m_bridge, &WorkerBridge::finished, this, [this] {
    for (const auto& result : m_results->take()) Q_EMIT mapped(m_number, result);
    end({});
  });
  connect(&m_bridge, &WorkerBridge::cancelled, this, [this] { end({}); });
  connect(&m_bridge, &WorkerBridge::failed, this, &PictureMapper::end);
  connect(&runs, &RunController::phaseChanged, this, &PictureMapper::possibilityChanged);
  connect(&runs, &RunController::modelChanged, this, &PictureMapper::possibilityChanged);
}

QString PictureMapper::problem(const PictureSubject& subject) const {
  if (subject.image.picture->bytes.empty())
    return tr("The run was recorded without its images.");
  if (subject.run.prompt.empty())
    return tr("The prompt's tokens are not known yet; load a model that reads images.");
  if (m_runs.phase() != RunController::Phase::Idle)
    return tr("A run or a load is in progress; the map can be made after it.");
  const auto model = m_runs.loaded();
  if (!model) return tr("No model is loaded; press Run first.");
  if (subject.recorded && !computesRun(*model, *subject.recorded))
    return tr(
        "The run's model is not loaded as it was in the run; press Run again first.");
  return {};
}

int PictureMapper::map(const ImageMapRequest& request) {
  if (m_busy) end({});
  const int number = ++m_number;
  m_busy = true;
  m_worker.start(m_bridge, m_engine.makeImageMapJob(*m_runs.loaded(), request,
                                                    std::make_shared<Sink>(m_results)));
  return number;
}

void PictureMapper::stop(int number) {
  if (m_busy && number == m_number) m_worker.stop(m_bridge);
}

void PictureMapper::end(const QString& sentence) {
  if (!std::exchange(m_busy, false)) return;
  Q_EMIT ended(m_number, sentence);
}

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/model_library.h"

#include <QMetaObject>
#include <utility>

namespace equipatch {

/// Sends a list to the window's thread. Used on the worker's thread only, which ends
/// before the library is destroyed.
class ModelLibrary::Sink final : public ModelListSink {
 public:
  Sink(ModelLibrary& owner, Round round) : m_owner(owner), m_round(round) {}

  void modelsListed(std::shared_ptr<const ModelList> list) override {
    QMetaObject::invokeMethod(
        &m_owner,
        [owner = &m_owner, round = m_round, list = std::move(list)] {
          owner->take(round, list);
        },
        Qt::QueuedConnection);
  }

 private:
  ModelLibrary& m_owner;
  Round m_round;
};

ModelLibrary::ModelLibrary(Engine& engine, QObject* parent)
    : QObject(parent), m_engine(engine), m_worker(m_bridge) {
  connect(&m_bridge, &WorkerBridge::failed, this, &ModelLibrary::fail);
}

void ModelLibrary::refresh() {
  m_worker.stop();
  ++m_round;
  m_bridge.follow(m_worker.start(
      m_engine.makeListJob(std::make_shared<Sink>(*this, m_round), m_forgotten)));
}

void ModelLibrary::forget(const QString& folder) {
  m_forgotten.emplace_back(folder.toStdString());
  refresh();
}

/// A folder that cannot be forgotten stays on the list, which is read again.
void ModelLibrary::fail(const QString& sentence) {
  if (!m_forgotten.empty()) {
    m_forgotten.clear();
    refresh();
  }
  Q_EMIT failed(sentence);
}

void ModelLibrary::take(Round round, const std::shared_ptr<const ModelList>& list) {
  if (round != m_round) return;
  m_forgotten.clear();  // the job forgets folders before it lists models
  Q_EMIT listed(list);
}

}  // namespace equipatch

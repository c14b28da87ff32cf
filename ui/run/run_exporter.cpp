// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/run_exporter.h"

#include <utility>

#include "core/record/export/export_run.h"
#include "ui/chart/number_text.h"

namespace equipatch {

/// Keeps the sentence for the window's thread. A job may outlive the exporter, so the
/// sink shares ownership of the inbox.
class RunExporter::Sink final : public ExportSink {
 public:
  explicit Sink(std::shared_ptr<Results> results)
      : m_results(std::move(results)), m_round(m_results->renew()) {}

  void exported(const std::string& sentence) override {
    m_results->put(m_round, sentence);
  }

 private:
  std::shared_ptr<Results> m_results;
  Round m_round;
};

RunExporter::RunExporter(Engine& engine, SharedWorker& worker, const RunController& runs,
                         QObject* parent)
    : QObject(parent),
      m_engine(engine),
      m_worker(worker),
      m_bridge(worker.addUser()),
      m_runs(runs) {
  connect(&m_bridge, &WorkerBridge::progressed, this, &RunExporter::progressed);
  connect(&m_bridge, &WorkerBridge::finished, this, [this] {
    end();
    for (const std::string& sentence : m_results->take())
      Q_EMIT exported(QString::fromStdString(sentence));
  });
  connect(&m_bridge, &WorkerBridge::cancelled, this, [this] {
    end();
    Q_EMIT stopped();
  });
  connect(&m_bridge, &WorkerBridge::failed, this, [this](const QString& sentence) {
    end();
    Q_EMIT failed(sentence);
  });
  connect(&runs, &RunController::phaseChanged, this, &RunExporter::possibilityChanged);
  connect(&runs, &RunController::modelChanged, this, &RunExporter::possibilityChanged);
}

bool RunExporter::lacksModel(RunForm form, const RunHeader& header) const {
  const auto model = m_runs.loaded();
  return needsModel(form, header) && !(model && computesRun(*model, header));
}

QString RunExporter::problem(RunForm form, const RunHeader& header) const {
  if (isHeldUp()) return tr("A run or a load is in progress; export the run after it.");
  try {
    if (form == RunForm::Checkpoint) requireStorablePatch(header.request);
    if (form == RunForm::Adapter) requireAdapterPossible(header);
  } catch (const Error& error) {
    return sentenceText(QString::fromUtf8(error.what())) + u'.';
  }
  if (lacksModel(form, header))
    return tr("This needs the run's model, which is not loaded.");
  return {};
}

std::uintmax_t RunExporter::checkpointBytes() const {
  const auto model = m_runs.loaded();
  if (!model || !model->session) return 0;
  return patchedCheckpointBytes(model->session->checkpoint(), model->dtype);
}

void RunExporter::start(const ExportRequest& request) {
  m_isBusy = true;
  m_worker.start(m_bridge, m_engine.makeExportJob(m_runs.loaded(), request,
                                                  std::make_shared<Sink>(m_results)));
  Q_EMIT possibilityChanged();
}

void RunExporter::stop() {
  if (m_isBusy) m_worker.stop(m_bridge);
}

void RunExporter::end() {
  m_isBusy = false;
  Q_EMIT possibilityChanged();
}

}  // namespace equipatch

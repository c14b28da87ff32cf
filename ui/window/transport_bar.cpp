#include "ui/window/transport_bar.h"

#include "ui/chart/number_text.h"

namespace equipatch {
namespace {
constexpr int kProgressUnits = 1000;
}  // namespace

TransportBar::TransportBar(const Actions& actions, const RunController& controller,
                           const RunModel& model, QWidget* parent)
    : QToolBar(tr("Transport"), parent),
      m_controller(controller),
      m_model(model),
      m_progress(new QProgressBar(this)),
      m_rate(new QLabel(this)),
      m_status(new QLabel(this)) {
  setObjectName(QStringLiteral("transport"));
  setMovable(false);
  setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  setIconSize(QSize(16, 16));
  setContextMenuPolicy(Qt::PreventContextMenu);
  addActions({actions.run, actions.pause, actions.step, actions.stop});
  m_progress->setRange(0, kProgressUnits);
  m_progress->setTextVisible(false);
  m_progress->setFixedSize(180, 12);
  m_progress->setAccessibleName(tr("Progress"));
  m_rate->setObjectName(QStringLiteral("rate"));
  m_rate->setAccessibleName(tr("Speed"));
  m_rate->setMinimumWidth(
      fontMetrics().horizontalAdvance(QStringLiteral("  0000.0 tokens/s")));
  m_rate->setAlignment(Qt::AlignCenter);
  m_status->setObjectName(QStringLiteral("status"));
  m_status->setAccessibleName(tr("Status"));
  m_status->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  addSeparator();
  addWidget(m_progress);
  addWidget(m_rate);
  addWidget(m_status);
  connect(&controller, &RunController::phaseChanged, this, &TransportBar::showState);
  connect(&controller, &RunController::modelChanged, this, &TransportBar::showState);
  connect(&controller, &RunController::progressed, this, &TransportBar::showProgress);
  connect(&model, &RunModel::begun, this, &TransportBar::showState);
  connect(&model, &RunModel::appended, this, &TransportBar::showState);
  showState();
}

void TransportBar::showProgress(double fraction, const QString& label) {
  m_label = label;
  if (m_controller.phase() == RunController::Phase::Loading || m_model.empty())
    m_progress->setValue(int(fraction * kProgressUnits));
  m_status->setText(statusText());
}

void TransportBar::showState() {
  const RunHeader* header = m_model.header();
  const bool running = m_controller.phase() != RunController::Phase::Loading;
  const bool ended = m_controller.phase() == RunController::Phase::Idle;
  if (ended && !m_model.empty())
    m_progress->setValue(kProgressUnits);  // also where the text ended by itself
  else if (running && header && header->request.steps > 0)
    m_progress->setValue(
        int(m_model.stepCount() * qint64(kProgressUnits) / header->request.steps));
  else
    m_progress->setValue(0);
  const double milliseconds = m_model.recentMilliseconds();
  m_rate->setText(milliseconds > 0.0
                      ? tr("%1 tokens/s").arg(numberText(1000.0 / milliseconds))
                      : QString());
  m_status->setText(statusText());
}

QString TransportBar::stepsText() const {
  const QString mismatches =
      m_model.mismatchCount() == 0
          ? tr("no mismatch")
          : countText(m_model.mismatchCount(), QStringLiteral("mismatch"));
  return tr("%1, %2").arg(countText(m_model.stepCount(), QStringLiteral("step")),
                          mismatches);
}

QString TransportBar::statusText() const {
  switch (m_controller.phase()) {
    case RunController::Phase::Loading:
      return m_label.isEmpty() ? tr("Loading the model…") : m_label;
    case RunController::Phase::Running:
      if (!m_model.empty()) return tr("Running: %1").arg(stepsText());
      return m_label.isEmpty() ? tr("Reading the prompt…") : m_label;
    case RunController::Phase::Paused:
      return tr("Paused after %1").arg(stepsText());
    case RunController::Phase::Stopping:
      return tr("Stopping…");
    case RunController::Phase::Idle:
      break;
  }
  if (!m_model.empty()) return tr("Ready: %1").arg(stepsText());
  return m_controller.loaded() ? tr("Ready: press Run") : tr("No model is loaded yet");
}

}  // namespace equipatch

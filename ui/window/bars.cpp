// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/bars.h"

#include <QDesktopServices>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QPainter>
#include <QPainterPath>
#include <QPixmap>
#include <QStyle>
#include <QUrl>
#include <optional>
#include <utility>

#include "ui/chart/number_text.h"

namespace equipatch {
namespace {

constexpr int kProgressUnits = 1000;
constexpr int kIconSize = 16;
constexpr qreal kIconScale = 2.0;  // crisp on high-density screens

QPainterPath triangle(qreal left, qreal right) {
  QPainterPath path;
  path.moveTo(left, 2);
  path.lineTo(right, 8);
  path.lineTo(left, 14);
  path.closeSubpath();
  return path;
}

QPainterPath pathOf(TransportShape shape) {
  QPainterPath path;
  switch (shape) {
    case TransportShape::Run:
      return triangle(3.5, 14);
    case TransportShape::Pause:
      path.addRoundedRect(3, 2, 3.6, 12, 1, 1);
      path.addRoundedRect(9.4, 2, 3.6, 12, 1, 1);
      return path;
    case TransportShape::Step:
      path = triangle(2, 10.5);
      path.addRoundedRect(11.2, 2, 2.8, 12, 1, 1);
      return path;
    case TransportShape::Stop:
      path.addRoundedRect(2.5, 2.5, 11, 11, 1.5, 1.5);
      return path;
  }
  return path;
}

QPixmap draw(TransportShape shape, const QColor& colour) {
  QPixmap pixmap(QSize(kIconSize, kIconSize) * kIconScale);
  pixmap.setDevicePixelRatio(kIconScale);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillPath(pathOf(shape), colour);
  return pixmap;
}

}  // namespace

MessageBar::MessageBar(QWidget* parent)
    : QFrame(parent),
      m_label(new QLabel(this)),
      m_open(addButton("messageOpen", tr("Open"))),
      m_showFolder(addButton("messageFolder", tr("Show folder"))),
      m_close(addButton("messageDismiss", QStringLiteral("×"))) {  // in every font
  setObjectName(QStringLiteral("messageBar"));
  m_label->setObjectName(QStringLiteral("messageText"));
  m_label->setAccessibleName(tr("Message"));
  // Sentences may hold file names, which must not be read as markup.
  m_label->setTextFormat(Qt::PlainText);
  m_label->setWordWrap(true);
  m_label->setTextInteractionFlags(Qt::TextSelectableByMouse |
                                   Qt::TextSelectableByKeyboard);
  setEscapable(true);
  m_close->setToolTip(tr("Dismiss (Esc)"));
  m_close->setAccessibleName(tr("Dismiss the message"));
  connect(m_close, &QToolButton::clicked, this, &MessageBar::dismiss);
  connect(m_open, &QToolButton::clicked, this, [this] { openPath(m_file); });
  connect(m_showFolder, &QToolButton::clicked, this,
          [this] { openPath(QFileInfo(m_file).absolutePath()); });
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(10, 6, 6, 6);
  layout->addWidget(m_label, 1);
  for (QToolButton* button : {m_open, m_showFolder, m_close})
    layout->addWidget(button, 0, Qt::AlignTop);
  setFile({});
  hide();
}

QToolButton* MessageBar::addButton(const char* name, const QString& text) {
  auto* button = new QToolButton(this);
  button->setObjectName(QString::fromLatin1(name));
  button->setText(text);
  button->setAutoRaise(true);
  return button;
}

void MessageBar::setFile(const QString& path) {
  m_file = path;
  for (QToolButton* button : {m_open, m_showFolder}) button->setVisible(!path.isEmpty());
}

void MessageBar::openPath(const QString& path) {
  if (QDesktopServices::openUrl(QUrl::fromLocalFile(path))) return;
  showMessage(tr("The desktop cannot open %1; open it from a file manager or a program "
                 "of your choice.")
                  .arg(path));
}

void MessageBar::showMessage(const QString& sentence) {
  m_label->setText(sentenceText(sentence));
  setFile({});
  setLook(Look::Failure);
  show();
}

void MessageBar::showNotice(const QString& sentence) {
  showMessage(sentence);
  setLook(Look::Notice);
}

void MessageBar::showSaved(const QString& sentence, const QString& path) {
  showNotice(sentence);
  setFile(path);
}

/// Polishes again, because the style sheet depends on the property `notice`.
void MessageBar::setLook(Look look) {
  setProperty("notice", look == Look::Notice);
  style()->unpolish(this);
  style()->polish(this);
}

void MessageBar::setEscapable(bool escapable) {
  m_close->setShortcut(escapable ? QKeySequence(Qt::Key_Escape) : QKeySequence());
}

void MessageBar::dismiss() {
  m_label->clear();
  hide();
}

void MessageBar::dismissNotice() {
  if (property("notice").toBool()) dismiss();
}

QIcon transportIcon(TransportShape shape, const QColor& colour, const QColor& disabled) {
  QIcon icon(draw(shape, colour));
  icon.addPixmap(draw(shape, disabled), QIcon::Disabled);
  return icon;
}

TransportBar::TransportBar(const Actions& actions, const RunController& controller,
                           const RunModel& model, const Theme& theme, QWidget* parent)
    : QToolBar(tr("Transport"), parent),
      m_actions(actions),
      m_controller(controller),
      m_model(model),
      m_theme(theme),
      m_progress(new QProgressBar(this)),
      m_rate(new QLabel(this)),
      m_status(new QLabel(this)) {
  setObjectName(QStringLiteral("transport"));
  setMovable(false);
  setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  setIconSize(QSize(kIconSize, kIconSize));
  setContextMenuPolicy(Qt::PreventContextMenu);
  addActions({actions.run, actions.pause, actions.step, actions.stop});
  for (QAction* action : this->actions())
    widgetForAction(action)->setFocusPolicy(Qt::TabFocus);
  composeState();
  connect(&theme, &Theme::changed, this, &TransportBar::showIcons);
  connect(&controller, &RunController::phaseChanged, this, &TransportBar::beginPhase);
  connect(&controller, &RunController::modelChanged, this, &TransportBar::showModel);
  connect(&controller, &RunController::progressed, this, &TransportBar::showProgress);
  connect(&model, &RunModel::runStarted, this, &TransportBar::showState);
  connect(&model, &RunModel::stepsAppended, this, &TransportBar::showState);
  showIcons();
  showState();
}

void TransportBar::composeState() {
  for (QLabel* label : {m_rate, m_status}) label->setTextFormat(Qt::PlainText);
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
}

void TransportBar::showIcons() {
  const Colours& c = m_theme.colours();
  const QColor disabled =
      m_theme.palette().color(QPalette::Disabled, QPalette::ButtonText);
  m_actions.run->setIcon(transportIcon(TransportShape::Run, c.accent, disabled));
  m_actions.pause->setIcon(transportIcon(TransportShape::Pause, c.text, disabled));
  m_actions.step->setIcon(transportIcon(TransportShape::Step, c.text, disabled));
  m_actions.stop->setIcon(transportIcon(TransportShape::Stop, c.text, disabled));
}

void TransportBar::showProgress(double fraction, const QString& label) {
  m_label = label;
  if (m_controller.phase() == RunController::Phase::Loading || m_model.empty())
    m_progress->setValue(int(fraction * kProgressUnits));
  m_status->setText(statusText());
}

/// The phase may be the same as before: a run requested during a load does not end the
/// load, whose label then stays.
void TransportBar::beginPhase() {
  const RunController::Phase phase = m_controller.phase();
  if (std::exchange(m_phase, phase) != phase) beginJob();
  showState();
}

/// A load that replaces another load is a new job, but does not change the phase.
void TransportBar::showModel() {
  if (!m_controller.loaded()) beginJob();
  showState();
}

void TransportBar::beginJob() {
  m_label.clear();
  if (m_controller.phase() == RunController::Phase::Loading) m_progress->setValue(0);
}

void TransportBar::showState() {
  // While a model or a run is read, showProgress moves the bar.
  if (m_controller.phase() != RunController::Phase::Loading)
    m_progress->setValue(stepProgress());
  const double milliseconds = m_model.recentMilliseconds();
  m_rate->setText(milliseconds > 0.0
                      ? tr("%1 tokens/s").arg(numberText(1000.0 / milliseconds))
                      : QString());
  m_status->setText(statusText());
}

/// The finished share of the run on display, in thousandths.
int TransportBar::stepProgress() const {
  const RunHeader* header = m_model.header();
  if (isComplete()) return kProgressUnits;
  if (!header || header->request.steps <= 0) return 0;
  return int(m_model.stepCount() * qint64(kProgressUnits) / header->request.steps);
}

/// True if the run on display took all its steps, or a token ended its text.
bool TransportBar::isComplete() const {
  return m_controller.phase() == RunController::Phase::Idle && !m_model.empty() &&
         m_controller.ending() == RunEnding::Complete;
}

/// "31 steps", or "271 of 508 steps" for an unfinished run.
QString TransportBar::stepCountText() const {
  const auto wanted = m_model.header()->request.steps;
  const QString steps = countText(m_model.stepCount(), QStringLiteral("step"));
  return isComplete() || wanted <= m_model.stepCount()
             ? steps
             : tr("%1 of %2")
                   .arg(m_model.stepCount())
                   .arg(countText(wanted, QStringLiteral("step")));
}

QString TransportBar::stepsText() const {
  const QString mismatches =
      m_model.mismatchCount() == 0
          ? tr("no mismatch")
          : countText(m_model.mismatchCount(), QStringLiteral("mismatch"));
  const QString steps = stepCountText();
  const std::optional<int> sampled = m_model.sampledDifferenceCount();
  if (!sampled) return tr("%1, %2").arg(steps, mismatches);
  return tr("%1, %2 of the most likely tokens, %3 of the sampled ones")
      .arg(steps, mismatches, *sampled == 0 ? tr("none") : QString::number(*sampled));
}

QString TransportBar::statusText() const {
  switch (m_controller.phase()) {
    case RunController::Phase::Loading:
      if (!m_label.isEmpty()) return m_label;
      if (m_controller.isOpeningRun()) return tr("Reading the run…");
      return m_controller.loaded() ? tr("Preparing the prompt…")
                                   : tr("Loading the model…");
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
  if (!m_model.empty()) {
    if (isComplete()) return tr("Ready: %1").arg(stepsText());
    return m_controller.ending() == RunEnding::Interrupted
               ? tr("Interrupted after %1").arg(stepsText())
               : tr("Stopped after %1").arg(stepsText());
  }
  return m_controller.loaded() ? tr("Ready: press Run") : tr("No model is loaded yet");
}

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/lab_window.h"

#include <QAction>
#include <QDir>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QScrollArea>
#include <QSplitter>
#include <QVBoxLayout>
#include <utility>

#include "core/base/error.h"
#include "core/figure/lab_figure.h"
#include "ui/chart/number_text.h"
#include "ui/chart/small_widgets.h"
#include "ui/window/window_geometry.h"

namespace equipatch {
namespace {

constexpr int kLabProgressUnits = 1000;
constexpr int kLeastChoiceWidth = 300;

using Phase = LabController::Phase;

QLabel* wrappingLabel(const char* name) {
  auto* label = new QLabel;
  label->setObjectName(QString::fromLatin1(name));
  label->setWordWrap(true);
  return label;
}

/// Not `button->setShortcut`, which would replace the button's mnemonic (Alt and the
/// underlined letter).
void addKey(QWidget& window, const QKeySequence& key, QPushButton* button) {
  auto* action = new QAction(&window);
  action->setShortcut(key);
  QObject::connect(action, &QAction::triggered, button, &QPushButton::click);
  window.addAction(action);
}

QString escaped(const std::string& text) {
  return QString::fromStdString(text).toHtmlEscaped();
}

QString scalarRow(const LabScalar& scalar) {
  const QString unit = scalar.unit.empty() ? QString() : u' ' + escaped(scalar.unit);
  const QString paper = scalar.paper ? messageText(paperText(scalar)) + unit : QString();
  return QStringLiteral(
             "<tr><td align=right style='white-space: nowrap'><b>%1%2</b></td>"
             "<td>&nbsp;&nbsp;%3</td>"
             "<td>&nbsp;&nbsp;%4</td></tr>")
      .arg(numberText(scalar.value), unit, escaped(scalar.name), paper);
}

}  // namespace

QString findingsText(const LabResult& result) {
  QString text = tr("<p><b>%1</b> (%2, seed %3)</p>")
                     .arg(escaped(result.title), escaped(result.origin.setting))
                     .arg(result.origin.seed) +
                 QStringLiteral("<table cellspacing=2>");
  for (const LabScalar& scalar : result.scalars) text += scalarRow(scalar);
  text += QStringLiteral("</table>");
  for (const std::string& note : result.notes)
    text += QStringLiteral("<p>%1</p>").arg(escaped(note));
  return text;
}

LabWindow::LabWindow(LabController& lab, const RunController& runs, const Theme& theme,
                     QWidget* parent)
    : QWidget(parent, Qt::Window),
      m_lab(lab),
      m_runs(runs),
      m_list(new QListWidget),
      m_claim(wrappingLabel("muted")),
      m_form(new SettingsForm),
      m_figures(new FigureView(theme)),
      m_findings(wrappingLabel("labFindings")),
      m_status(wrappingLabel("labStatus")),
      m_progress(new QProgressBar),
      m_start(new QPushButton),
      m_pause(new QPushButton(tr("Pa&use"))),
      m_stop(new QPushButton(tr("S&top"))),
      m_export(new QPushButton(tr("&Export figure…"))) {
  setWindowTitle(tr("Lab – Equipatch"));
  resizeWithinScreen(*this, kUsualSize);
  auto* results = new QSplitter(Qt::Vertical);
  QScrollArea* figures = scrollable(m_figures);
  figures->setObjectName(QStringLiteral("labFigureArea"));
  figures->setAccessibleName(tr("Figures of the experiment"));
  results->addWidget(figures);
  results->addWidget(composeFindings());
  results->setChildrenCollapsible(false);
  results->setStretchFactor(0, 1);
  results->setSizes({640, 130});
  auto* columns = new QHBoxLayout(this);
  columns->setContentsMargins(8, 8, 8, 8);
  columns->addWidget(composeChoice());
  columns->addWidget(results, 1);
  connectAll();
  m_list->setCurrentRow(0);
  phaseChanged();
  showResult();
}

QWidget* LabWindow::composeChoice() {
  m_list->setObjectName(QStringLiteral("experiments"));
  m_list->setAccessibleName(tr("Experiments"));
  for (const Experiment& experiment : m_lab.experiments()) {
    auto* item = new QListWidgetItem(QString::fromStdString(experiment.title), m_list);
    item->setToolTip(QString::fromStdString(experiment.claim));
  }
  m_list->installEventFilter(this);
  auto* settings = new QWidget;
  auto* rows = new QVBoxLayout(settings);
  rows->setContentsMargins(0, 0, 8, 0);
  rows->addWidget(m_form);
  rows->addStretch(1);
  auto* choice = new QWidget;
  auto* column = new QVBoxLayout(choice);
  column->setContentsMargins({});
  column->addWidget(m_list);
  column->addWidget(m_claim);
  QScrollArea* fields = scrollable(settings);
  fields->setFocusPolicy(Qt::NoFocus);  // Tab goes to the fields
  column->addWidget(fields, 1);
  column->addWidget(m_status);
  column->addWidget(m_progress);
  column->addWidget(composeButtons());
  fitList();
  return choice;
}

void LabWindow::fitList() {
  const int frame = 2 * m_list->frameWidth() + 2;
  m_list->setFixedHeight(m_list->sizeHintForRow(0) * m_list->count() + frame);
  const int most = std::max(kLeastChoiceWidth, width() / 3);
  m_list->parentWidget()->setFixedWidth(
      std::clamp(m_list->sizeHintForColumn(0) + frame, kLeastChoiceWidth, most));
}

bool LabWindow::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_list && event->type() == QEvent::FontChange) fitList();
  return QWidget::eventFilter(watched, event);
}

QWidget* LabWindow::composeButtons() {
  m_progress->setRange(0, kLabProgressUnits);
  m_progress->setTextVisible(false);
  m_progress->setFixedHeight(12);
  m_progress->setAccessibleName(tr("Progress of the experiment"));
  addKey(*this, Qt::Key_F5, m_start);
  addKey(*this, Qt::Key_F6, m_pause);
  addKey(*this, Qt::Key_F8, m_stop);
  addKey(*this, Qt::CTRL | Qt::Key_E, m_export);
  auto* close = new QAction(this);
  close->setShortcut(Qt::CTRL | Qt::Key_W);
  connect(close, &QAction::triggered, this, &QWidget::close);
  addAction(close);
  auto* buttons = new QWidget;
  auto* row = new QHBoxLayout(buttons);
  row->setContentsMargins({});
  for (QPushButton* button : {m_start, m_pause, m_stop}) row->addWidget(button);
  return buttons;
}

QWidget* LabWindow::composeFindings() {
  m_findings->setTextFormat(Qt::RichText);
  m_findings->setTextInteractionFlags(Qt::TextSelectableByMouse |
                                      Qt::TextSelectableByKeyboard);
  m_findings->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  m_findings->setContentsMargins(12, 8, 12, 8);
  auto* below = new QWidget;
  auto* row = new QHBoxLayout(below);
  row->setContentsMargins({});
  QScrollArea* findings = scrollable(m_findings);
  findings->setObjectName(QStringLiteral("labFindingArea"));
  findings->setAccessibleName(tr("Findings of the experiment"));
  row->addWidget(findings, 1);
  row->addWidget(m_export, 0, Qt::AlignTop);
  return below;
}

void LabWindow::connectAll() {
  connect(m_list, &QListWidget::currentRowChanged, this, &LabWindow::experimentChosen);
  connect(m_start, &QPushButton::clicked, this, &LabWindow::start);
  connect(m_pause, &QPushButton::clicked, &m_lab, &LabController::pause);
  connect(m_stop, &QPushButton::clicked, &m_lab, &LabController::stop);
  connect(m_export, &QPushButton::clicked, this, &LabWindow::exportFigure);
  connect(&m_lab, &LabController::phaseChanged, this, &LabWindow::phaseChanged);
  connect(&m_lab, &LabController::resultChanged, this, &LabWindow::showResult);
  connect(&m_lab, &LabController::failed, this, &LabWindow::showFailure);
  connect(&m_lab, &LabController::progressed, this,
          [this](double fraction, const QString& label) {
            m_progress->setValue(int(fraction * kLabProgressUnits));
            m_label = label;
            m_status->setText(statusText());
          });
  connect(&m_runs, &RunController::phaseChanged, this, &LabWindow::phaseChanged);
}

const Experiment* LabWindow::chosen() const {
  const int row = m_list->currentRow();
  return row < 0 ? nullptr : &m_lab.experiments()[std::size_t(row)];
}

void LabWindow::experimentChosen() {
  const Experiment* experiment = chosen();
  if (!experiment) return;
  m_claim->setText(
      QString::fromStdString(experiment->claim + ' ' + experiment->task).trimmed());
  m_form->setExperiment(*experiment);
  phaseChanged();
  showResult();
}

void LabWindow::restore(const State& state) {
  m_list->setCurrentRow(state.row);
  if (state.settings)
    m_form->restore(*state.settings);
  else
    m_form->restoreDefaults();
}

std::shared_ptr<const LabResult> LabWindow::shown() const {
  return chosen() ? m_lab.resultOf(chosen()->name) : m_lab.result();
}

void LabWindow::start() {
  if (m_lab.phase() == Phase::Paused) return m_lab.resume();
  startAnew();
}

void LabWindow::startAnew() {
  if (!chosen()) return;
  m_failure.clear();
  m_label.clear();
  try {
    m_lab.start(request());
  } catch (const Error& error) {
    showFailure(QString::fromUtf8(error.what()));
  }
}

LabRequest LabWindow::request() const {
  return {.experiment = chosen()->name,
          .settings = m_form->settings(),
          .seed = m_form->seed()};
}

void LabWindow::showOrStart() {
  m_failure.clear();  // before showAgain, which updates the status
  try {
    if (chosen() && m_lab.showAgain(request())) return;
  } catch (const Error&) {
  }
  // startAnew() also reports invalid settings. start() would resume a paused experiment,
  // perhaps another one.
  startAnew();
}

void LabWindow::phaseChanged() {
  const Phase phase = m_lab.phase();
  m_start->setText(phase == Phase::Paused ? tr("&Resume") : tr("&Start"));
  m_start->setEnabled(phase == Phase::Idle || phase == Phase::Paused);
  m_pause->setEnabled(phase == Phase::Running);
  m_stop->setEnabled(phase == Phase::Running || phase == Phase::Paused);
  if (phase == Phase::Idle) m_progress->setValue(0);
  m_status->setText(statusText());
  const bool isChosen = chosen() && chosen()->name == m_lab.newest();
  m_figures->setEmptyText(phase == Phase::Idle
                              ? tr("Press Start (F5) to run the experiment.")
                          : isChosen ? tr("Computing the first values…")
                                     : tr("Another experiment is being computed."));
}

void LabWindow::showResult() {
  const std::shared_ptr<const LabResult> result = shown();
  const bool hasPanels = result && !result->panels.empty();
  m_export->setEnabled(hasPanels);
  const bool found = result && (!result->scalars.empty() || !result->notes.empty());
  m_findings->setText(
      found ? findingsText(*result)
            : tr("The experiment's key values appear here, beside the paper's."));
  m_figures->setFigure(hasPanels ? std::optional(labFigure(*result)) : std::nullopt);
}

QString LabWindow::statusText() const {
  switch (m_lab.phase()) {
    case Phase::Running:
      return m_label.isEmpty() ? tr("Starting…") : m_label + u'…';
    case Phase::Paused:
      return tr("Paused: %1").arg(m_label);
    case Phase::Stopping:
      return tr("Stopping…");
    case Phase::Idle:
      break;
  }
  if (!m_failure.isEmpty()) return m_failure;
  if (m_runs.phase() != RunController::Phase::Idle)
    return tr(
        "A run or a load is in progress. Start stops it; a run's steps so far are "
        "recorded.");
  if (!m_lab.file().isEmpty() && shown() == m_lab.result())
    return tr("Saved as %1").arg(QDir::toNativeSeparators(m_lab.file()));
  return tr("Ready");
}

void LabWindow::showFailure(const QString& sentence) {
  m_failure = sentenceText(sentence);
  m_status->setText(statusText());
}

/// A shortcut would take the Escape key from an open combo box.
void LabWindow::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Cancel)) close();
  QWidget::keyPressEvent(event);
}

void LabWindow::exportFigure() {
  auto* dialog = new LabExport(shown(), this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->show();
}

LabExport::LabExport(std::shared_ptr<const LabResult> result, QWidget* parent)
    : FigureDialog(parent), m_result(std::move(result)), m_panels(new QComboBox) {
  m_panels->addItem(tr("All"));
  for (const LabPanel& panel : m_result->panels)
    m_panels->addItem(QString::fromStdString(panel.title));
  m_panels->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  auto* content = new QWidget;
  auto* form = new QFormLayout(content);
  form->setContentsMargins({});
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  form->addRow(tr("&Figure"), m_panels);
  compose(content);
  connect(m_panels, &QComboBox::currentIndexChanged, this, [this] {
    suggestWidth();
    refresh();
  });
  suggestWidth();
}

void LabExport::suggestWidth() {
  const bool beside = m_panels->currentIndex() == 0 && m_result->panels.size() > 1;
  styleForm()->suggestColumns(beside ? 2 : 1);
}

Figure LabExport::figure() const {
  if (!m_all) m_all = labFigure(*m_result);
  const int panel = m_panels->currentIndex();
  return panel == 0 ? *m_all : onePanel(*m_all, *m_result, panel);
}

QString LabExport::fileName() const {
  return QString::fromStdString(m_result->experiment) + QStringLiteral("-figure");
}

}  // namespace equipatch

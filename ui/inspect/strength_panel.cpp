// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspect/strength_panel.h"

#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "ui/chart/number_text.h"
#include "ui/prompt/token_display.h"

namespace equipatch {
namespace {

constexpr int kWhole = 100;  // percent of the patch
constexpr int kMost = int(StrengthChart::kMostAlpha * 100);
constexpr int kSettleMilliseconds = 150;
constexpr int kChartLines = 16;                // height of the chart, in lines of text
constexpr double kQuickMilliseconds = 2000.0;  // faster curves are computed unasked

// Percents of the curve in the order of computation: coarse to fine.
constexpr std::array kCurve = {100, 0,  50, 150, 80, 120, 90, 110,
                               20,  70, 40, 95,  60, 10,  30, 130};

}  // namespace

StrengthPanel::StrengthPanel(const Sources& sources, QWidget* parent)
    : QWidget(parent), m_sources(sources) {
  setObjectName(QStringLiteral("strengthPanel"));
  compose();
  m_settle.setSingleShot(true);
  m_settle.setInterval(kSettleMilliseconds);
  connect(&m_settle, &QTimer::timeout, this, [this] {
    if (quick()) requestReadings();
  });
  connect(&sources.model, &RunModel::runStarted, this, &StrengthPanel::runStarted);
  connect(&sources.selection, &Selection::stepChanged, this, &StrengthPanel::stepChanged);
  connect(&sources.controller, &RunController::phaseChanged, this,
          &StrengthPanel::stepChanged);
  connect(&sources.controller, &RunController::modelChanged, this, [this] {
    m_sources.probe.setModel(m_sources.controller.loaded());
    stepChanged();
  });
  connect(&sources.probe, &StrengthProbe::read, this,
          [this](const std::shared_ptr<const StrengthReading>& r) { take(*r); });
  connect(&sources.probe, &StrengthProbe::progressed, this,
          [this](double, const QString& label) {
            if (m_isAsked) m_chart->setEmptyText(label + u'…');
          });
  connect(&sources.probe, &StrengthProbe::failed, this, [this](const QString& sentence) {
    if (!std::exchange(m_isAsked, false)) return;
    m_hint->setText(sentenceText(sentence));
    m_hint->show();
    m_chart->setEmptyText({});  // may still show progress
    Q_EMIT failed(sentence);
  });
  showState();
}

void StrengthPanel::compose() {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 4, 0, 4);
  layout->setSpacing(4);
  auto* heading = new QLabel(tr("Patch strength"), this);
  heading->setObjectName(QStringLiteral("panelHeading"));
  m_reset = new QPushButton(tr("Whole patch"), this);
  m_reset->setObjectName(QStringLiteral("strengthReset"));
  m_reset->setToolTip(tr("α = 1 on all layers"));
  connect(m_reset, &QPushButton::clicked, this, &StrengthPanel::reset);
  auto* top = new QHBoxLayout;
  top->addWidget(heading, 1);
  top->addWidget(m_reset);
  m_controls = new QWidget(this);
  auto* inside = new QVBoxLayout(m_controls);
  inside->setContentsMargins(0, 0, 0, 0);
  inside->setSpacing(4);
  inside->addWidget(makeSlider());
  inside->addWidget(makeLayerRow());
  m_hint = new QLabel(this);
  m_hint->setObjectName(QStringLiteral("strengthHint"));
  m_hint->setTextFormat(Qt::PlainText);
  m_hint->setWordWrap(true);
  m_load = new QPushButton(tr("Load its model"), this);
  m_load->setObjectName(QStringLiteral("strengthLoad"));
  connect(m_load, &QPushButton::clicked, this, &StrengthPanel::modelRequested);
  m_chart = new StrengthChart(m_sources.theme, m_controls);
  connect(m_chart, &StrengthChart::alphaPicked, this,
          [this](double alpha) { setPercent(int(std::lround(alpha * 100))); });
  inside->addWidget(m_chart);
  auto* scope = new QLabel(
      tr("Computed for this step alone: the other charts show the patch as recorded."),
      m_controls);
  scope->setObjectName(QStringLiteral("muted"));
  scope->setWordWrap(true);
  inside->addWidget(scope);
  layout->addLayout(top);
  layout->addWidget(m_hint);
  layout->addWidget(m_load, 0, Qt::AlignLeft);
  layout->addWidget(m_controls);
}

QWidget* StrengthPanel::makeSlider() {
  auto* row = new QWidget(m_controls);
  m_percent = new QSlider(Qt::Horizontal, row);
  m_percent->setObjectName(QStringLiteral("strength"));
  m_percent->setAccessibleName(tr("Patch strength in percent"));
  m_percent->setToolTip(
      tr("0: no patch, the bare pass; 1: the patch; above 1: more than the patch"));
  m_percent->setRange(0, kMost);
  m_percent->setSingleStep(5);
  m_percent->setPageStep(25);
  m_percent->setTickInterval(50);
  m_percent->setTickPosition(QSlider::TicksBelow);
  // Qt's Fusion style moves the handle up for the ticks, beyond the size hint.
  m_percent->setMinimumHeight(m_percent->sizeHint().height() + 4);
  m_percent->setValue(kWhole);
  m_alpha = new QDoubleSpinBox(row);
  m_alpha->setObjectName(QStringLiteral("alpha"));
  m_alpha->setAccessibleName(tr("Patch strength α"));
  m_alpha->setPrefix(tr("α "));
  m_alpha->setRange(0.0, StrengthChart::kMostAlpha);
  m_alpha->setSingleStep(0.05);
  // Otherwise a user who types 0.9 would first try 0, which might answer a lesson's
  // question.
  m_alpha->setKeyboardTracking(false);
  m_alpha->setValue(1.0);
  connect(m_percent, &QSlider::valueChanged, this, &StrengthPanel::settingChanged);
  connect(m_alpha, &QDoubleSpinBox::valueChanged, this,
          [this](double alpha) { m_percent->setValue(int(std::lround(alpha * 100))); });
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(m_percent, 1);
  layout->addWidget(m_alpha);
  return row;
}

QWidget* StrengthPanel::makeLayerRow() {
  auto* box = new QWidget(m_controls);
  m_layerCount = new QLabel(box);
  m_layerCount->setObjectName(QStringLiteral("muted"));
  m_layers = new LayerToggles(m_sources.theme, box);
  m_layers->setToolTip(tr("Click or drag; the context menu has ranges"));
  connect(m_layers, &LayerToggles::changed, this, &StrengthPanel::layersChanged);
  auto* layout = new QVBoxLayout(box);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2);
  layout->addWidget(m_layerCount);
  layout->addWidget(m_layers);
  return box;
}

void StrengthPanel::reset() {
  m_layers->setRange(0, m_layers->count() - 1);
  setPercent(kWhole);
}

/// Sets the field as well, because a slider that is already at `percent` emits no signal.
/// Otherwise the field might enter a typed number when it loses the focus.
void StrengthPanel::setPercent(int percent) {
  m_percent->setValue(percent);
  const QSignalBlocker quiet(m_alpha);
  m_alpha->setValue(alpha());
}

void StrengthPanel::restore(const Setting& setting) {
  m_layers->setLayers(setting.layers);
  setPercent(setting.percent);
}

StrengthPanel::State StrengthPanel::state() const {
  using Phase = RunController::Phase;
  if (!m_sources.model.find(m_sources.selection.step())) return State::NoStep;
  const Phase phase = m_sources.controller.phase();
  if (phase != Phase::Idle && phase != Phase::Paused) return State::Running;
  const auto loaded = m_sources.controller.loaded();
  const bool same = loaded && computesRun(*loaded, *m_sources.model.header());
  return same ? State::Ready : State::OtherModel;
}

QString StrengthPanel::reason(State state) const {
  switch (state) {
    case State::NoStep:
      return tr("Here you can compute a step again with more or less of its patch.");
    case State::Running:
      switch (m_sources.controller.phase()) {
        case RunController::Phase::Loading:
          return tr("Wait for the load, then try other strengths of this step's patch.");
        case RunController::Phase::Stopping:
          return tr("Wait for the stop, then try other strengths of this step's patch.");
        default:
          return tr("Pause the run to try other strengths of this step's patch.");
      }
    case State::OtherModel:
      return tr("The step is computed again by the run's own model, %1 in %2, which is "
                "not loaded.")
          .arg(QString::fromStdString(m_sources.model.header()->modelName),
               QString::fromUtf8(torchName(m_sources.model.header()->dtype).data()));
    case State::Ready:
      break;
  }
  return {};
}

void StrengthPanel::showState() {
  const State now = state();
  m_hint->setText(reason(now));
  m_hint->setVisible(now != State::Ready);
  m_load->setVisible(now == State::OtherModel);
  m_controls->setVisible(now == State::Ready);
  m_reset->setVisible(now == State::Ready);
  showReadings();
}

void StrengthPanel::runStarted() {
  const RunHeader* header = m_sources.model.header();
  m_layers->setCount(header ? int(header->layers) : 0);
  const QSignalBlocker quiet(m_percent);
  m_percent->setValue(kWhole);
  m_alpha->setValue(1.0);
  stepChanged();
}

void StrengthPanel::stepChanged() {
  m_readings.clear();
  m_sources.probe.stop();
  m_isAsked = false;
  const bool ready = state() == State::Ready;
  m_chart->setEmptyText(ready && !quick()
                            ? tr("Move the slider to compute this step again; with this "
                                 "model it takes a while.")
                            : QString());
  ready ? m_settle.start() : m_settle.stop();
  showState();
}

void StrengthPanel::settingChanged() {
  const QSignalBlocker quiet(m_alpha);
  m_alpha->setValue(alpha());
  showReadings();
  requestReadings();
}

void StrengthPanel::layersChanged() {
  m_readings.clear();
  showReadings();
  requestReadings();
}

/// Estimates from the recorded step's time whether the earlier steps and the curve take
/// less than kQuickMilliseconds. The prompt does not count, because it is computed once
/// for all steps of a run.
bool StrengthPanel::quick() const {
  const StepRecord* record = m_sources.model.find(m_sources.selection.step());
  const double passes = double(m_sources.selection.step()) + double(kCurve.size());
  return record && passes * record->milliseconds < kQuickMilliseconds;
}

ReplayedStep StrengthPanel::replayedStep() const {
  ReplayedStep step{m_sources.model.header()->request, {}};
  for (const Token& token : step.request.prompt) step.history.push_back(token.id);
  for (int i = 0; i < m_sources.selection.step(); ++i)
    step.history.push_back(m_sources.model.step(i).continued);
  return step;
}

PatchStrength StrengthPanel::strengthAt(int percent) const {
  PatchStrength strength{.alpha = percent / 100.0, .layers = {}};
  if (m_layers->onCount() < m_layers->count()) strength.layers = m_layers->chosen();
  if (m_layers->onCount() == 0) strength.alpha = 0.0;  // an empty list means all layers
  return strength;
}

void StrengthPanel::requestReadings() {
  if (state() != State::Ready) return;
  std::vector<PatchStrength> wanted;
  const auto add = [&](int percent) {
    const PatchStrength strength = strengthAt(percent);
    if (!m_readings.contains(percent) && std::ranges::count(wanted, strength) == 0)
      wanted.push_back(strength);
  };
  add(m_percent->value());
  if (m_layers->onCount() > 0)
    for (const int percent : kCurve) add(percent);
  if (wanted.empty()) return;
  m_isAsked = true;
  m_sources.probe.request(replayedStep(), std::move(wanted));
}

void StrengthPanel::take(const StrengthReading& reading) {
  const int percent = int(std::lround(reading.strength.alpha * 100));
  if (reading.strength != strengthAt(percent)) return;  // for an earlier choice of layers
  m_readings[percent] = reading;
  showState();  // replaces the failure of an earlier request
}

const StrengthReading* StrengthPanel::current() const {
  const auto found = m_readings.find(m_layers->onCount() == 0 ? 0 : m_percent->value());
  return found == m_readings.end() ? nullptr : &found->second;
}

bool StrengthPanel::isWhole() const {
  return m_percent->value() == kWhole && m_layers->onCount() == m_layers->count();
}

/// Compares with the run's own strength, which need not be the whole patch.
const StrengthReading* StrengthPanel::shown() const {
  const StrengthReading* reading = current();
  const RunHeader* header = m_sources.model.header();
  const bool isRecorded =
      reading && header && reading->strength == header->request.strength;
  return isRecorded ? nullptr : reading;
}

QString StrengthPanel::sentence() const {
  const StrengthReading* reading = current();
  if (!reading || reading->choices.empty()) return tr("…");
  const Choice& best = reading->choices.front();
  const QString token = visibleToken(best);
  if (reading->match)
    return tr("✓ “%1” is the most likely, %2").arg(token, percentText(best.probability));
  if (!std::isfinite(reading->distance.linf))
    return tr("✗ The logits are not finite at this strength");
  // Not the record's token: a run that samples may have taken a less likely one.
  const StepRecord& record = *m_sources.model.find(m_sources.selection.step());
  const QString expected = record.contextual.empty()
                               ? visibleToken(record)
                               : visibleToken(record.contextual.front());
  return tr("✗ “%1” is the most likely; “%2” has %3")
      .arg(token, expected, percentText(reading->probability));
}

void StrengthPanel::showReadings() {
  m_layerCount->setText(m_percent->value() == 0 ? tr("No layer is patched: α is 0")
                                                : tr("%1 of %2 layers patched")
                                                      .arg(m_layers->onCount())
                                                      .arg(m_layers->count()));
  std::vector<StrengthReading> curve;
  for (const auto& [percent, reading] : m_readings) curve.push_back(reading);
  m_chart->setStep(m_sources.selection.step());
  m_chart->show(curve);
  m_chart->setAlpha(alpha());
  m_chart->setNote(sentence());
  m_reset->setEnabled(!isWhole());
  Q_EMIT shownChanged();
}

StrengthChart::StrengthChart(const Theme& theme, QWidget* parent)
    : ChartView(tr("Effect of α times the patch"), theme, parent),
      m_chosen(new QCPItemStraightLine(&plot())) {
  setPanel(strengthPanel({}));
  connect(this, &ChartView::clicked, this, [this](double alpha) {
    Q_EMIT alphaPicked(std::clamp(alpha, 0.0, kMostAlpha));
  });
  const auto restyleLine = [this] {
    m_chosen->setPen(QPen(this->theme().colours().accent, 1.2, Qt::DotLine));
  };
  connect(this, &ChartView::restyled, this, restyleLine);
  restyleLine();
  setMinimumHeight(kChartLines * fontMetrics().lineSpacing());
}

void StrengthChart::changeEvent(QEvent* event) {
  ChartView::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
    setMinimumHeight(kChartLines * fontMetrics().lineSpacing());
}

void StrengthChart::show(const std::vector<StrengthReading>& readings) {
  setPanel(strengthPanel(readings));
  setDataVisible(!readings.empty());
  refresh();
}

Figure StrengthChart::figure() const {
  Figure figure = ChartView::figure();
  figure.title += tr(", step %1").arg(m_step).toStdString();
  return figure;
}

void StrengthChart::setAlpha(double alpha) {
  m_chosen->point1->setCoords(alpha, 1.0);
  m_chosen->point2->setCoords(alpha, 2.0);
  plot().replot(QCustomPlot::rpQueuedReplot);
}

}  // namespace equipatch

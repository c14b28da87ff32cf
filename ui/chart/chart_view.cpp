// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/chart_view.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QMetaMethod>
#include <QVBoxLayout>
#include <utility>

#include "ui/chart/axes.h"
#include "ui/chart/chart_menu.h"
#include "ui/chart/row_scroll_bar.h"

namespace equipatch {
namespace {

constexpr int kNarrowBox = 56;  // pixels, least width of a box in the title line
// Pixels. A chart lower than this shows its sentence only in the title's tooltip.
constexpr int kLowChart = 200;

QLabel* makeLabel(const QString& name, QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setObjectName(name);
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  return label;
}

}  // namespace

ChartView::ChartView(const QString& title, const Theme& theme, QWidget* parent)
    : QWidget(parent),
      m_theme(theme),
      m_title(new ElidedLabel(this)),
      m_sentence(new SentenceLabel(this)),
      m_note(makeLabel(QStringLiteral("chartNote"), this)),
      m_empty(new FittingLabel(this)),
      m_header(new QHBoxLayout),
      m_legend(new Legend),
      m_legendArea(new LegendArea(m_legend, this)),
      m_pages(new QStackedWidget(this)),
      m_plot(new QCustomPlot(this)),
      m_tableSwitch(new QToolButton(this)),
      m_lock(new QToolButton(this)),
      m_marker(new QCPItemStraightLine(m_plot)),
      m_rows(*m_plot->axisRect()),
      m_usualType(font().pointSizeF()) {
  setObjectName(QStringLiteral("chart"));
  setAttribute(Qt::WA_StyledBackground);
  setFocusPolicy(Qt::StrongFocus);
  setTitle(title);
  setNote({});
  m_title->setObjectName(QStringLiteral("chartTitle"));
  m_sentence->setObjectName(QStringLiteral("chartSentence"));
  m_empty->setObjectName(QStringLiteral("chartEmpty"));
  m_header->addWidget(m_title, 1);
  m_header->setSpacing(4);
  m_pages->addWidget(m_empty);
  m_pages->addWidget(m_plot);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 5, 6, 3);
  layout->setSpacing(2);
  layout->addLayout(m_header);
  layout->addWidget(m_sentence);
  layout->addWidget(m_note);
  layout->addWidget(m_legendArea);
  layout->addWidget(m_pages, 1);
  buildPlot();
  buildSwitches();
  connectPlot();
  setDataVisible(false);
  restyle();
}

void ChartView::buildPlot() {
  m_plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
  m_plot->setMinimumSize(120, 72);
  m_plot->setFocusPolicy(Qt::NoFocus);
  m_plot->setNoAntialiasingOnDrag(true);
  m_plot->setPlottingHint(QCP::phFastPolylines);
  m_plot->axisRect()->setupFullAxesBox();
  m_plot->axisRect()->setMinimumMargins(QMargins(4, 4, 8, 4));
  m_plot->xAxis->setTicker(QSharedPointer<IntegerTicker>::create());
  m_plot->xAxis2->setTicks(false);
  m_plot->yAxis2->setTicks(false);
  m_plot->axisRect()->setRangeZoomAxes(m_plot->xAxis, m_plot->yAxis);
  m_rowBar = new RowScrollBar(*m_plot->axisRect());
  m_marker->setVisible(false);
  // Cancels the replot that QCustomPlot has queued: the plot is still empty.
  QCoreApplication::removePostedEvents(m_plot, QEvent::MetaCall);
}

void ChartView::buildSwitches() {
  m_lock->setObjectName(QStringLiteral("axisLock"));
  m_lock->setText(tr("locked"));
  m_lock->setToolTip(tr("The axes keep their ranges; click to fit them to the data"));
  m_lock->setAutoRaise(true);
  m_lock->setFocusPolicy(Qt::TabFocus);
  m_lock->hide();
  m_header->addWidget(m_lock);
  connect(m_lock, &QToolButton::clicked, this, &ChartView::resetZoom);
  m_tableSwitch->setObjectName(QStringLiteral("tableSwitch"));
  m_tableSwitch->setText(QStringLiteral("▦"));
  m_tableSwitch->setAccessibleName(tr("As a table"));
  m_tableSwitch->setToolTip(tr("Read the chart as a table, or copy it (T)"));
  m_tableSwitch->setAutoRaise(true);
  m_tableSwitch->setCheckable(true);
  m_tableSwitch->setFocusPolicy(Qt::TabFocus);
  m_header->addWidget(m_tableSwitch);
  connect(m_tableSwitch, &QToolButton::toggled, this, [this](bool on) {
    if (!m_table) makeTable();
    const bool focused = hasFocus() || m_table->hasFocus();
    showPage();
    refresh();
    if (focused) (on ? static_cast<QWidget*>(m_table) : this)->setFocus();
  });
  new ChartMenu(*this);
}

/// Called on first use only: a table has many widgets, and few charts are shown as one.
void ChartView::makeTable() {
  m_table = new ChartTable(m_pages);
  m_pages->addWidget(m_table);
  setTabOrder(this, m_table);
  connect(m_table, &ChartTable::rowPicked, this, &ChartView::rowPicked);
  m_table->setAccessibleName(tr("%1, as a table").arg(title()));
}

void ChartView::setTitle(const QString& title, const QString& brief) {
  m_title->setText(title);
  m_title->setBrief(brief);
  setAccessibleName(title);
  if (m_table) m_table->setAccessibleName(tr("%1, as a table").arg(title));
}

void ChartView::setSentence(const QString& sentence) {
  m_sentence->setSentence(sentence);
  m_title->setToolTip(sentence);
}

void ChartView::setNote(const QString& note) {
  m_note->setText(note);
  m_note->setVisible(!note.isEmpty());
}

void ChartView::setExplained(bool explained) {
  m_explained = explained;
  m_sentence->setVisible(m_explained && m_dataVisible && height() >= kLowChart);
}

void ChartView::setEmptyText(const QString& text) {
  m_empty->setText(text);
}

void ChartView::setDataVisible(bool visible) {
  m_dataVisible = visible;
  showPage();
  for (QWidget* control : m_controls) control->setVisible(visible);
  m_tableSwitch->setVisible(visible);
  setExplained(m_explained);
}

void ChartView::showPage() {
  m_pages->setCurrentIndex(!m_dataVisible ? 0 : isTable() ? 2 : 1);
  m_legendArea->setVisible(m_dataVisible && !isTable() && m_legend->count() > 0);
  if (m_pages->currentWidget() != m_plot || std::exchange(m_drawn, true)) return;
  QMetaObject::invokeMethod(
      m_plot, [plot = m_plot] { plot->replot(); }, Qt::QueuedConnection);
}

void ChartView::addControl(QWidget* control) {
  m_header->insertWidget(m_header->indexOf(m_lock), control);
  setTabOrder(m_controls.isEmpty() ? this : m_controls.last(), control);
  m_controls << control;
  control->setVisible(isDataVisible());
  // In a narrow chart the box shrinks, so that the title stays readable.
  if (qobject_cast<QComboBox*>(control)) control->setMinimumWidth(kNarrowBox);
}

void ChartView::setMarker(int key) {
  m_markerKey = key;
  if (m_table) m_table->markRow(key);
  m_marker->setVisible(key >= 0);
  m_marker->point1->setCoords(key, 1.0);
  m_marker->point2->setCoords(key, 2.0);
  m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void ChartView::refresh() {
  if (m_dataVisible && isTable()) {
    m_table->setTable(panelTable());
    m_table->markRow(m_markerKey);
  }
  if (m_fitted) fitPanel();
  m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void ChartView::resetZoom() {
  m_lock->hide();
  m_fitted = true;
  refresh();
}

void ChartView::setLocked(bool locked) {
  if (!locked) return resetZoom();
  m_lock->show();
  m_fitted = false;
}

bool ChartView::canBeAlone() const {
  static const QMetaMethod kSignal = QMetaMethod::fromSignal(&ChartView::aloneRequested);
  return isSignalConnected(kSignal);
}

void ChartView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange) restyle();
}

void ChartView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  m_legendArea->setChartHeight(height());
  setExplained(m_explained);
}

void ChartView::restyle() {
  const Colours& c = m_theme.colours();
  m_plot->setBackground(c.surface);
  for (QCPAxis* axis : m_plot->axisRect()->axes()) styleAxis(*axis, c, font());
  for (const ChartSeries& series : m_series) applyStyle(series);
  drawRows();
  m_marker->setPen(QPen(c.accent, 1.2, Qt::DotLine));
  m_legend->restyle(c);
  Q_EMIT restyled();
  m_plot->replot(QCustomPlot::rpQueuedReplot);
}

}  // namespace equipatch

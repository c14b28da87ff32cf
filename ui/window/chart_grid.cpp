// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/chart_grid.h"

#include <QSettings>
#include <QVBoxLayout>
#include <utility>

#include "ui/chart/heatmap_chart.h"
#include "ui/chart/layer_charts.h"
#include "ui/chart/logit_chart.h"

namespace equipatch {
namespace {

const QString kExplainedKey = QStringLiteral("window/explained");

QSplitter* makeSplitter(Qt::Orientation orientation, const QString& name,
                        QWidget* parent) {
  auto* splitter = new QSplitter(orientation, parent);
  splitter->setObjectName(name);
  splitter->setChildrenCollapsible(false);
  splitter->setHandleWidth(5);
  return splitter;
}

QString keyOf(const QSplitter* splitter) {
  return QStringLiteral("window/") + splitter->objectName();
}

}  // namespace

ChartGrid::ChartGrid(const RunModel& model, Selection& selection, const Theme& theme,
                     QWidget* parent)
    : QWidget(parent),
      m_rows(makeSplitter(Qt::Vertical, QStringLiteral("chartRows"), this)),
      m_upper(makeSplitter(Qt::Horizontal, QStringLiteral("chartsUpper"), this)),
      m_lower(makeSplitter(Qt::Horizontal, QStringLiteral("chartsLower"), this)) {
  add(*m_upper, new LogitChart(model, selection, theme),
      tr("How far the patched pass's logits are from the contextual ones, step by "
         "step."));
  add(*m_upper, new NormChart(model, selection, theme),
      tr("How large each layer's patch is."));
  add(*m_lower, new HeatmapChart(model, selection, theme),
      tr("How much the patch changes each channel, or each layer at every step."));
  add(*m_lower, new ErrorChart(model, selection, theme),
      tr("How far the patched pass's hidden states are off, layer by layer."));
  m_rows->addWidget(m_upper);
  m_rows->addWidget(m_lower);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(m_rows);
  resetSizes();
}

void ChartGrid::add(QSplitter& row, ChartView* view, const QString& purpose) {
  row.addWidget(view);
  view->setExplained(isExplained());
  m_cells.append({view, purpose});
  connect(view, &ChartView::aloneRequested, this, [this, view] { toggleAlone(*view); });
}

void ChartGrid::addGuest(ChartView& view) {
  m_guests.append(&view);
  connect(&view, &ChartView::aloneRequested, this, [this, &view] { toggleAlone(view); });
}

void ChartGrid::takeIn(ChartView& guest) {
  auto* splitter = qobject_cast<QSplitter*>(guest.parentWidget());
  if (!splitter) return;
  m_home = {splitter, splitter->indexOf(&guest), splitter->sizes()};
  layout()->addWidget(&guest);
  guest.show();
}

void ChartGrid::sendHome() {
  const Home home = std::exchange(m_home, {});
  home.splitter->insertWidget(home.index, m_alone);
  home.splitter->setSizes(home.sizes);
}

void ChartGrid::toggleAlone(ChartView& view) {
  if (m_alone == &view) return showAll();
  if (m_home.splitter) sendHome();
  m_alone = &view;
  const bool isGuest = m_guests.contains(&view);
  m_rows->setVisible(!isGuest);
  if (isGuest) return takeIn(view);
  for (const Cell& cell : m_cells) cell.view->setVisible(cell.view == &view);
  for (QSplitter* row : {m_upper, m_lower}) row->setVisible(row == view.parentWidget());
}

void ChartGrid::toggleAlone(int chart) {
  if (chart < m_cells.size()) return toggleAlone(*m_cells[chart].view);
  if (const int guest = chart - int(m_cells.size()); guest < m_guests.size())
    toggleAlone(*m_guests[guest]);
}

void ChartGrid::showAll() {
  if (m_home.splitter) sendHome();
  if (!std::exchange(m_alone, nullptr)) return;
  m_rows->show();
  for (const Cell& cell : m_cells) cell.view->show();
  for (QSplitter* row : {m_upper, m_lower}) row->show();
}

void ChartGrid::setEmptyText(const QString& text) {
  for (const Cell& cell : m_cells)
    cell.view->setEmptyText(cell.purpose + QStringLiteral("\n\n") + text);
}

bool ChartGrid::isExplained() const {
  return QSettings().value(kExplainedKey, true).toBool();
}

void ChartGrid::setExplained(bool explained) {
  QSettings().setValue(kExplainedKey, explained);
  for (const Cell& cell : m_cells) cell.view->setExplained(explained);
}

void ChartGrid::resetSizes() {
  showAll();
  for (QSplitter* splitter : {m_rows, m_upper, m_lower})
    splitter->setSizes(QList<int>(splitter->count(), 10000));  // in equal shares
}

/// Splitters know no sizes of hidden charts.
void ChartGrid::save() {
  showAll();
  QSettings settings;
  for (const QSplitter* splitter : {m_rows, m_upper, m_lower})
    settings.setValue(keyOf(splitter), splitter->saveState());
}

void ChartGrid::restore() {
  const QSettings settings;
  for (QSplitter* splitter : {m_rows, m_upper, m_lower})
    splitter->restoreState(settings.value(keyOf(splitter)).toByteArray());
}

}  // namespace equipatch

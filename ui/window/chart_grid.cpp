#include "ui/window/chart_grid.h"

#include <QSettings>
#include <QVBoxLayout>

namespace equipatch {
namespace {

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
      m_logits(new LogitChart(model, selection, theme)),
      m_norms(new NormChart(model, selection, theme)),
      m_heatmap(new HeatmapChart(model, selection, theme)),
      m_errors(new ErrorChart(model, selection, theme)),
      m_rows(makeSplitter(Qt::Vertical, QStringLiteral("chartRows"), this)),
      m_upper(makeSplitter(Qt::Horizontal, QStringLiteral("chartsUpper"), this)),
      m_lower(makeSplitter(Qt::Horizontal, QStringLiteral("chartsLower"), this)) {
  m_upper->addWidget(m_logits);
  m_upper->addWidget(m_norms);
  m_lower->addWidget(m_heatmap);
  m_lower->addWidget(m_errors);
  m_rows->addWidget(m_upper);
  m_rows->addWidget(m_lower);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(m_rows);
  resetSizes();
}

void ChartGrid::setEmptyText(const QString& text) {
  const QStringList purposes = {
      tr("How far the patched pass's logits are from the contextual ones, step by step."),
      tr("How large each layer's patch is."),
      tr("Which channels of each layer the patch changes."),
      tr("How far the patched pass's hidden states are off, layer by layer.")};
  const auto views = charts();
  for (qsizetype i = 0; i < views.size(); ++i)
    views[i]->setEmptyText(purposes[i] + QStringLiteral("\n\n") + text);
}

void ChartGrid::resetZoom() {
  for (ChartView* chart : charts()) chart->resetZoom();
}

void ChartGrid::resetSizes() {
  for (QSplitter* splitter : {m_rows, m_upper, m_lower})
    splitter->setSizes({10000, 10000});  // shared out evenly, whatever the room
}

void ChartGrid::save() const {
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

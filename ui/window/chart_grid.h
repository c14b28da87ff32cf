#pragma once

#include <QList>
#include <QSplitter>
#include <QWidget>

#include "ui/chart/heatmap_chart.h"
#include "ui/chart/layer_charts.h"
#include "ui/chart/logit_chart.h"

namespace equipatch {

/// The four charts of the window's centre, two by two, with movable borders.
class ChartGrid final : public QWidget {
  Q_OBJECT

 public:
  ChartGrid(const RunModel& model, Selection& selection, const Theme& theme,
            QWidget* parent = nullptr);

  /// What charts without data say, each after what it is for.
  void setEmptyText(const QString& text);
  void save() const;
  void restore();

  LogitChart* logits() const { return m_logits; }
  NormChart* norms() const { return m_norms; }
  HeatmapChart* heatmap() const { return m_heatmap; }
  ErrorChart* errors() const { return m_errors; }

 public Q_SLOTS:
  void resetZoom();
  void resetSizes();

 private:
  QList<ChartView*> charts() const { return {m_logits, m_norms, m_heatmap, m_errors}; }

  LogitChart* m_logits;
  NormChart* m_norms;
  HeatmapChart* m_heatmap;
  ErrorChart* m_errors;
  QSplitter* m_rows;
  QSplitter* m_upper;
  QSplitter* m_lower;
};

}  // namespace equipatch

#pragma once

#include <QCheckBox>
#include <QComboBox>

#include "core/figure/heat_grid.h"
#include "ui/chart/chart_view.h"
#include "ui/chart/colour_scale.h"
#include "ui/run/run_model.h"

namespace equipatch {

/// The patch as a map: Δm of the selected step over layer × channel, or the size of Δm or
/// of a matrix patch over layer × step. Cells are pooled to pixels, so no outlier is
/// lost.
class HeatmapChart final : public ChartView {
  Q_OBJECT

 public:
  HeatmapChart(const RunModel& model, Selection& selection, const Theme& theme,
               QWidget* parent = nullptr);

  const QCPColorMap* map() const { return m_map; }
  /// Index of the view: the first is Δm by channel where there is one, the others are
  /// norms by step.
  QComboBox* views() const { return m_views; }
  QCheckBox* logColours() const { return m_log; }

 private:
  enum class View { ScaleByChannel, ScaleByStep, BiasByStep, MatrixByStep };
  double quantity(const LayerRecord& layer) const;

  void buildMap();
  void connectAll();
  View view() const;
  void begin();
  void append(int first);
  void stepChanged(int step);
  void rebuild();
  void addColumns(int first);
  void showGrid();
  /// Between layout and drawing: the only moment when range and pixels are both known.
  void poolCells();
  void showSelection();
  void fit();
  void pick(double key, double value);
  void restyleMap();
  TableData gridTable() const;
  QString describe(double key, double value) const;

  const RunModel& m_model;
  Selection& m_selection;
  QComboBox* m_views;
  QCheckBox* m_log;
  QCPColorMap* m_map = nullptr;
  QCPColorScale* m_scale = nullptr;
  QCPItemStraightLine* m_layerLine = nullptr;
  HeatGrid m_grid;
  ColourTransform m_transform;
  QCPRange m_pooledRange;
  int m_pooledCells = 0;  ///< across; 0 when the cells are out of date
};

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <optional>

#include "core/figure/layer_panels.h"
#include "ui/chart/chart_view.h"
#include "ui/chart/map_colours.h"
#include "ui/run/run_model.h"

namespace equipatch {

/// The setting of a map's colours, on the screen and in exported figures.
inline const QString kLogarithmicKey = QStringLiteral("map/logarithmic");

/// The patch as a map: Δm of the selected step over layer × channel, or the size of one
/// part of the patch over layer × step. Cells are pooled to pixels and keep outliers.
class HeatmapChart final : public ChartView {
  Q_OBJECT

 public:
  HeatmapChart(const RunModel& model, Selection& selection, const Theme& theme,
               QWidget* parent = nullptr);

  const QCPColorMap* map() const { return m_map; }
  /// The box that chooses what the map shows: Δm by channel where the block has a norm
  /// scale, then the size of each part by step.
  QComboBox* views() const { return m_views; }
  QCheckBox* logColours() const { return m_log; }
  /// Its title names the view; the chart's title already names the step of Δm.
  Figure figure() const override;

 private:
  void buildMap();
  void connectAll();
  bool isByChannel() const { return !chosenSize(); }
  /// The part whose size is shown; null while the map shows Δm by channel.
  const PatchSize* chosenSize() const;
  void begin();
  void append();
  void stepChanged(int step);
  void rebuild();
  FigurePanel wholePanel() const;
  void showGrid();
  void showSentence();
  /// Runs between layout and drawing, when range and width in pixels are both known.
  void poolCells();
  void showSelection();
  void pick(double key, double value);
  void restyleMap();

  const RunModel& m_model;
  Selection& m_selection;
  std::vector<PatchSize> m_sizes;  ///< of the run
  QComboBox* m_views;              ///< an entry's data is an index of m_sizes, or −1
  QString m_wanted;                ///< the view chosen last, which a run may lack
  QCheckBox* m_log;
  QCPColorMap* m_map = nullptr;
  QCPColorScale* m_scale = nullptr;
  QCPItemStraightLine* m_layerLine = nullptr;
  std::optional<MapColours> m_colours;
  QCPRange m_pooledRange;
  int m_pooledCells = 0;  ///< across; 0 when the cells are out of date
};

}  // namespace equipatch

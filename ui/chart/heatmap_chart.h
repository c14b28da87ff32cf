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

/// QSettings key: whether maps, on the screen and in exported figures, have logarithmic
/// colours.
inline const QString kLogarithmicKey = QStringLiteral("map/logarithmic");

/// The patch as a map: Δm of the selected step over layer × channel, or the size of one
/// part of the patch over layer × step. A pixel that covers several values shows the one
/// of largest magnitude, so that outliers remain visible.
class HeatmapChart final : public ChartView {
  Q_OBJECT

 public:
  HeatmapChart(const RunModel& model, Selection& selection, const Theme& theme,
               QWidget* parent = nullptr);

  const QCPColorMap* map() const { return m_map; }
  /// Chooses the view: Δm by channel (only if the blocks' closing norm has a scale), or
  /// the size of a part of the patch by step.
  QComboBox* views() const { return m_views; }
  QCheckBox* logColours() const { return m_log; }
  Figure figure() const override;

 private:
  void buildMap();
  void connectAll();
  bool isByChannel() const { return !chosenSize(); }
  /// The part of the patch whose size is shown; null while the map shows Δm by channel.
  const PatchSize* chosenSize() const;
  void begin();
  void append();
  void stepChanged(int step);
  void rebuild();
  FigurePanel wholePanel() const;
  void showGrid();
  void showSentence();
  /// Runs between layout and drawing, when range and width in pixels are known.
  void poolCells();
  void showSelection();
  void pick(double key, double value);
  void restyleMap();

  const RunModel& m_model;
  Selection& m_selection;
  std::vector<PatchSize> m_sizes;  ///< one for each view by step
  QComboBox* m_views;              ///< item data: index in m_sizes; −1: Δm by channel
  QString m_wanted;                ///< the view chosen last; a run may lack it
  QCheckBox* m_log;
  QCPColorMap* m_map = nullptr;
  QCPColorScale* m_scale = nullptr;
  QCPItemStraightLine* m_layerLine = nullptr;
  std::optional<MapColours> m_colours;
  QCPRange m_pooledRange;
  int m_pooledCells = 0;  ///< the width in pixels at the last pooling; 0: pool again
};

}  // namespace equipatch

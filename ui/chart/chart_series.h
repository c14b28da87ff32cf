// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QMap>
#include <utility>

#include "ui/chart/series_style.h"
#include "ui/qcp.h"

namespace equipatch {

/// The graphs by which a chart draws a curve or marks; the plot owns them.
struct ChartSeries {
  QCPGraph* graph;
  SeriesStyle style;
  QCPGraph* zeros = nullptr;                    ///< open marks of exact zeros
  QCPGraph *lower = nullptr, *upper = nullptr;  ///< the edges of a band
  QMap<int, QCPGraph*> ofCurves = {};           ///< of marks in their curves' colours

  /// The graphs besides the first one.
  QList<QCPGraph*> parts() const {
    QList<QCPGraph*> all = ofCurves.values();
    for (QCPGraph* part : {zeros, lower, upper})
      if (part) all << part;
    return all;
  }
  /// Removes the graphs besides the first one from the plot.
  void removeParts() {
    for (QCPGraph* part : parts()) graph->parentPlot()->removeGraph(part);
    zeros = lower = upper = nullptr;
    ofCurves.clear();
  }
  void setVisible(bool visible) {
    graph->setVisible(visible);
    for (QCPGraph* part : parts()) part->setVisible(visible);
  }
};

}  // namespace equipatch

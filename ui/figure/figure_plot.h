// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSizeF>
#include <memory>
#include <vector>

#include "core/figure/figure.h"
#include "ui/figure/paper.h"

class QPaintDevice;

namespace equipatch {

/// The numbers of columns in which a figure is laid out until the panels are large
/// enough: the figure's own first, then all with which a panel has room for readable
/// axes.
std::vector<int> columnChoices(const Figure& figure, const FigureStyle& style);

/// A figure laid out on paper. Where panels would be too small in the figure's columns
/// (as on a slide with large type), or the figure would be higher than a page, it has
/// another number of columns. GUI thread; no display is needed.
class FigurePlot {
 public:
  /// @throws Error{BadInput} when the panels do not fit into the style's size
  FigurePlot(const Figure& figure, const FigureStyle& style);
  ~FigurePlot();

  const QCustomPlot& plot() const { return *m_plot; }
  /// The figure's size in Paper's units.
  QSize size() const { return m_size; }
  /// Sentences for the user: what the layout changed of the style, a figure that is
  /// higher than a page, runs that look alike, tokens without a label; empty: none.
  const QString& remark() const { return m_remark; }

  /// Paints vectors, for PDF and SVG; the device has Paper's resolution.
  void paintVectors(QPaintDevice& device);
  /// Paints pixels; the device is `scale` times as large as the figure.
  void paintPixels(QPaintDevice& device, double scale);

 private:
  std::unique_ptr<QCustomPlot> m_plot;
  QSize m_size;
  QString m_remark;
};

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSizeF>
#include <memory>
#include <vector>

#include "core/figure/figure.h"
#include "ui/figure/paper.h"

class QPaintDevice;

namespace equipatch {

/// The numbers of columns to try, until the panels are large enough: first the figure's
/// own, then all others that leave a panel enough width for readable axes.
std::vector<int> columnChoices(const Figure& figure, const FigureStyle& style);

/// A figure laid out on paper. The layout uses another number of columns than the figure
/// asks for if panels would be too small (as on a slide with large type) or the figure
/// higher than a page. GUI thread; no display is needed.
class FigurePlot {
 public:
  /// @throws Error{BadInput} when the panels do not fit into the style's size
  FigurePlot(const Figure& figure, const FigureStyle& style);
  ~FigurePlot();

  const QCustomPlot& plot() const { return *m_plot; }
  /// The figure's size in Paper's units.
  QSize size() const { return m_size; }
  /// Sentences for the user: how the layout deviates from the style, that the figure is
  /// higher than a page, that curves look alike, that tokens lack a label; empty: none.
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

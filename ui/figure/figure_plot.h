// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSizeF>
#include <memory>
#include <vector>

#include "core/figure/figure.h"
#include "ui/figure/paper.h"

class QPaintDevice;

namespace equipatch {

/// The numbers of columns to try: first the figure's own, then the others that leave a
/// panel enough width for readable axes.
std::vector<int> columnChoices(const Figure& figure, const FigureStyle& style);

/// A figure laid out on paper. The number of columns differs from the figure's if panels
/// would be too small or the figure higher than a page. GUI thread; needs no display.
class FigurePlot {
 public:
  /// @throws Error{BadInput} when the panels do not fit into the style's size
  FigurePlot(const Figure& figure, const FigureStyle& style);
  ~FigurePlot();

  const QCustomPlot& plot() const { return *m_plot; }
  /// In Paper's units.
  QSize size() const { return m_size; }
  /// Sentences for the user: deviations from the style, curves that look alike and other
  /// defects; empty: none.
  const QString& remark() const { return m_remark; }

  /// For PDF and SVG; the device must have Paper's resolution.
  void paintVectors(QPaintDevice& device);
  /// The device must be `scale` times as large as the figure.
  void paintPixels(QPaintDevice& device, double scale);

 private:
  std::unique_ptr<QCustomPlot> m_plot;
  QSize m_size;
  QString m_remark;
};

}  // namespace equipatch

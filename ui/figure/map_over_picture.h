// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QImage>

#include "core/figure/figure.h"
#include "ui/qcp.h"

namespace equipatch {

/// Draws a picture, translucent cells over it, and the cells' values if all of them fit.
class MapOverPicture final : public QCPColorMap {
 public:
  /// @param panel has a map and a picture under it; copied
  MapOverPicture(QCPAxis* x, QCPAxis* y, const FigurePanel& panel, const QFont& font);

 protected:
  void draw(QCPPainter* painter) override;
  void updateMapImage() override;

 private:
  QRectF between(const FigureRange& x, const FigureRange& y) const;
  void drawValues(QPainter& painter) const;

  const FigurePanel m_panel;
  QImage m_picture;
  QFont m_font;
};

/// Axes with the proportions of a picture.
class ProportionalAxes final : public QCPAxisRect {
 public:
  ProportionalAxes(QCustomPlot* plot, double heightOverWidth)
      : QCPAxisRect(plot), m_proportion(heightOverWidth) {
    setMinimumSize(1, 1);
  }

  int heightFor(int width) const { return int(m_proportion * width); }
  /// Limits the axes to this height and the proportional width. Lay the plot out again
  /// afterwards.
  void take(int height) {
    setMaximumSize(std::max(1, int(height / m_proportion)), std::max(1, height));
  }

 private:
  double m_proportion;
};

}  // namespace equipatch

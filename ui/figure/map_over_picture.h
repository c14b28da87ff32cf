// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QImage>

#include "core/figure/figure.h"
#include "ui/qcp.h"

namespace equipatch {

/// A map over a picture: the cells, through which it shines, and their values, where they
/// fit.
class MapOverPicture final : public QCPColorMap {
 public:
  /// @param panel with a map and a picture; outlives this
  MapOverPicture(QCPAxis* x, QCPAxis* y, const FigurePanel& panel, const QFont& font);

 protected:
  void draw(QCPPainter* painter) override;
  void updateMapImage() override;

 private:
  QRectF between(const FigureRange& x, const FigureRange& y) const;
  void drawValues(QPainter& painter) const;

  const FigurePanel& m_panel;
  QImage m_picture;
  QFont m_font;
};

/// Axes with the proportions of a picture. Height that they do not take is below them.
class ProportionalAxes final : public QCPAxisRect {
 public:
  ProportionalAxes(QCustomPlot* plot, double heightOverWidth)
      : QCPAxisRect(plot), m_proportion(heightOverWidth) {}

  /// The width for the axes, after the plot was laid out.
  int room();
  /// Takes the proportions; the plot must be laid out again.
  /// @param room of the narrowest axes of the figure, so that all are equally large
  /// @param fixedHeight otherwise the height follows from the width
  /// @returns the height that is missing; negative: to spare
  int fit(int room, bool fixedHeight);

 protected:
  int calculateAutoMargin(QCP::MarginSide side) override {
    return QCPAxisRect::calculateAutoMargin(side) + (side == QCP::msBottom ? m_spare : 0);
  }

 private:
  double m_proportion;
  int m_spare = 0;  ///< height below the axes
  int m_room = 0;   ///< the width without limit
};

}  // namespace equipatch

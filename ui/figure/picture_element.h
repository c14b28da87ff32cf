// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

#include "core/figure/figure.h"
#include "ui/figure/paper.h"

namespace equipatch {

/// An RGB32 copy of the picture.
QImage imageOf(const FigurePicture& picture);
/// A grey RGB32 copy, with the greys of `inGrey`.
QImage greyImage(const QImage& image);

/// Pictures side by side, and their caption: to the right of a single picture, below
/// several.
class PictureElement final : public QCPLayoutElement {
 public:
  PictureElement(QCustomPlot* plot, const FigurePanel& panel, const Paper& paper);

  /// The height of pictures and caption. kMostRowShare of the width limits the height of
  /// a single picture with the caption beside it, and of each row of pictures above a
  /// caption.
  int heightFor(int width) const;
  /// The part of `heightFor` that a caption below the pictures takes.
  int captionBelow(int width) const;
  /// The factor by which the present height makes the pictures smaller; at most 1.
  double scale() const;
  /// False if a line of the caption that cannot be broken is wider than the room for the
  /// caption, or if a caption beside a picture is higher than this element.
  bool fitsCaption() const;
  /// The places of the pictures in `room`.
  QList<QRectF> imagePlaces(const QRectF& room) const;

 protected:
  /// Adopts the margins of its margin group without contributing to them.
  int calculateAutoMargin(QCP::MarginSide) override { return 0; }
  void draw(QCPPainter* painter) override;

 private:
  double captionWidth(double width) const;
  /// The size of the caption, broken into lines, in an element of this width.
  QSizeF captionSize(double width) const;
  double scaleIn(const QRectF& room) const;
  std::vector<PicturePlace> placesFor(double width) const;

  const FigurePanel m_panel;
  QList<QImage> m_images;
  QString m_caption;
  QFont m_font;
  QColor m_text;
};

}  // namespace equipatch

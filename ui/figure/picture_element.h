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

/// Pictures side by side with a caption: right of a single picture, below several.
class PictureElement final : public QCPLayoutElement {
 public:
  PictureElement(QCustomPlot* plot, const FigurePanel& panel, const Paper& paper);

  /// The height of pictures and caption. It is at most kMostRowShare * `width` if the
  /// caption is beside the picture. Above a caption, this limits each row of pictures.
  int heightFor(int width) const;
  /// The part of `heightFor` that a caption below the pictures takes.
  int captionBelow(int width) const;
  /// The factor, at most 1, by which the pictures shrink to fit the present height.
  double scale() const;
  /// False if a word of the caption is wider than the caption's room, or if a caption
  /// beside a picture is higher than this element.
  bool fitsCaption() const;
  QList<QRectF> imagePlaces(const QRectF& room) const;

 protected:
  /// Adopts the margins of its margin group without contributing to them.
  int calculateAutoMargin(QCP::MarginSide) override { return 0; }
  void draw(QCPPainter* painter) override;

 private:
  double captionWidth(double width) const;
  /// The size of the caption, broken into lines. @param width of the element
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

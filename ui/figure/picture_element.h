// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFontMetricsF>
#include <QImage>
#include <algorithm>

#include "core/figure/figure.h"
#include "ui/figure/paper.h"

namespace equipatch {

/// An image, and its caption to the right.
class PictureElement final : public QCPLayoutElement {
 public:
  PictureElement(QCustomPlot* plot, const FigurePicture& picture, const Paper& paper)
      : QCPLayoutElement(plot),
        m_image(QImage(picture.rgb.data(), int(picture.width), int(picture.height),
                       int(3 * picture.width), QImage::Format_RGB888)
                    .convertToFormat(QImage::Format_RGB32)),  // copies the pixels
        m_caption(QString::fromStdString(picture.caption)),
        m_font(paper.font()),
        m_text(paper.colours().text) {}

  /// The height of the image or of its caption, whichever is larger, at most kMostHeight
  /// times the width.
  int heightFor(int width) const {
    const double picture = kShare * width * m_image.height() / m_image.width();
    const QRectF room(0, 0, (1.0 - kShare) * width - gap(), width);
    const double words =
        m_caption.isEmpty()
            ? 0.0
            : QFontMetricsF(m_font).boundingRect(room, kFlags, m_caption).height();
    return int(std::clamp(std::max(picture, words), 0.2 * width, kMostHeight * width));
  }

 protected:
  void draw(QCPPainter* painter) override {
    const QRectF all = rect();
    QSizeF size(m_image.size());
    size.scale(kShare * all.width(), all.height(), Qt::KeepAspectRatio);
    painter->setRenderHint(QPainter::SmoothPixmapTransform);
    painter->drawImage(QRectF(all.topLeft(), size), m_image);
    painter->setFont(m_font);
    painter->setPen(m_text);
    painter->drawText(all.adjusted(size.width() + gap(), 0, 0, 0), kFlags, m_caption);
  }

 private:
  static constexpr double kMostHeight = 0.6;  // of the width
  // Of the width, beside the caption; without one too, so that pictures of one size look
  // alike.
  static constexpr double kShare = 0.5;
  static constexpr int kFlags = Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap;

  static double gap() { return Paper::units(8.0); }

  QImage m_image;
  QString m_caption;
  QFont m_font;
  QColor m_text;
};

}  // namespace equipatch

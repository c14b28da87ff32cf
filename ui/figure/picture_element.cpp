// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figure/picture_element.h"

#include <QFontMetricsF>
#include <QImage>
#include <algorithm>
#include <cmath>

namespace equipatch {
namespace {

constexpr double kLeastHeightShare = 0.2;  // of the width, with a caption beside
constexpr int kFlags = Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap;

double gap() {
  return Paper::units(kPictureGap);
}

}  // namespace

QImage imageOf(const FigurePicture& picture) {
  return QImage(picture.rgb.data(), int(picture.width), int(picture.height),
                int(3 * picture.width), QImage::Format_RGB888)
      .convertToFormat(QImage::Format_RGB32);
}

QImage greyImage(const QImage& image) {
  if (image.isNull()) return image;
  const QImage source = image.convertToFormat(QImage::Format_RGB888);
  FigurePicture picture{
      .name = {}, .width = source.width(), .height = source.height(), .rgb = {}};
  for (int row = 0; row < source.height(); ++row)
    picture.rgb.insert(picture.rgb.end(), source.constScanLine(row),
                       source.constScanLine(row) + 3 * qsizetype(source.width()));
  return imageOf(inGrey(picture));
}

PictureElement::PictureElement(QCustomPlot* plot, const FigurePanel& panel,
                               const Paper& paper)
    : QCPLayoutElement(plot),
      m_panel(panel),
      m_caption(QString::fromStdString(panel.caption)),
      m_font(paper.font()),
      m_text(paper.colours().text) {
  for (const FigurePicture& picture : panel.pictures) m_images << imageOf(picture);
}

double PictureElement::captionWidth(double width) const {
  return m_panel.isCaptionBeside() ? (1.0 - kBesideCaption) * width - gap() : width;
}

QSizeF PictureElement::captionSize(double width) const {
  if (m_caption.isEmpty()) return {0.0, 0.0};
  return QFontMetricsF(m_font)
      .boundingRect(QRectF(0, 0, captionWidth(width), 10 * width), kFlags, m_caption)
      .size();
}

std::vector<PicturePlace> PictureElement::placesFor(double width) const {
  double height = (m_caption.isEmpty() ? 2.0 : kMostRowShare) * width;
  if (m_images.size() > 1)
    height = std::min(height, double(Paper::units(kMostRowHeight)));
  return picturePlaces(
      m_panel.pictures,
      {.width = m_panel.isCaptionBeside() ? kBesideCaption * width : width,
       .rowHeight = height,
       .leastWidth = double(Paper::units(kLeastPictureWidth)),
       .gap = gap()});
}

int PictureElement::heightFor(int width) const {
  const double images = extentOf(placesFor(width)).height;
  const double words = captionSize(width).height();
  if (m_panel.isCaptionBeside())
    return int(std::clamp(std::max(images, words), kLeastHeightShare * width,
                          kMostRowShare * width));
  return int(images) + captionBelow(width);
}

int PictureElement::captionBelow(int width) const {
  return m_caption.isEmpty() || m_panel.isCaptionBeside()
             ? 0
             : int(std::ceil(captionSize(width).height() + gap()));
}

bool PictureElement::fitsCaption() const {
  if (m_caption.isEmpty()) return true;
  const double width = rect().width();
  const QSizeF words = captionSize(width);
  if (words.width() > std::ceil(captionWidth(width))) return false;
  return !m_panel.isCaptionBeside() || words.height() <= rect().height();
}

double PictureElement::scale() const {
  return scaleIn(QRectF(rect()));
}

double PictureElement::scaleIn(const QRectF& room) const {
  const double height = std::max(1.0, room.height() - captionBelow(int(room.width())));
  return std::min(1.0, height / extentOf(placesFor(room.width())).height);
}

QList<QRectF> PictureElement::imagePlaces(const QRectF& room) const {
  const std::vector<PicturePlace> places = placesFor(room.width());
  const double scale = scaleIn(room);
  QList<QRectF> rects;
  for (const PicturePlace& place : places)
    rects << QRectF(room.left() + scale * place.left, room.top() + scale * place.top,
                    scale * place.width, scale * place.height);
  return rects;
}

void PictureElement::draw(QCPPainter* painter) {
  const QRectF all = rect();
  const QList<QRectF> places = imagePlaces(all);
  painter->setRenderHint(QPainter::SmoothPixmapTransform);
  for (qsizetype i = 0; i < places.size(); ++i)
    painter->drawImage(places[i], m_images[i]);
  if (m_caption.isEmpty()) return;
  painter->setFont(m_font);
  painter->setPen(m_text);
  const QRectF words =
      m_panel.isCaptionBeside()
          ? all.adjusted(places[0].width() + gap(), 0, 0, 0)
          : all.adjusted(0, places.back().bottom() - all.top() + gap(), 0, 0);
  painter->drawText(words, kFlags, m_caption);
}

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figure/map_over_picture.h"

#include <QFontMetricsF>
#include <QPainterPath>
#include <algorithm>

#include "core/figure/panel_range.h"
#include "ui/figure/picture_element.h"

namespace equipatch {
namespace {

constexpr double kCellShare = 0.9;  // of a cell's width, for its value
// Of the font size. If a value needs less, none is drawn.
constexpr double kLeastScale = 0.6;

void makeTransparent(QImage& image, double opacity) {
  if (image.isNull()) return;
  QPainter painter(&image);
  painter.setCompositionMode(QPainter::CompositionMode_DestinationIn);
  painter.fillRect(image.rect(), QColor(0, 0, 0, int(255 * opacity)));
}

}  // namespace

MapOverPicture::MapOverPicture(QCPAxis* x, QCPAxis* y, const FigurePanel& panel,
                               const QFont& font)
    : QCPColorMap(x, y), m_panel(panel), m_picture(imageOf(*panel.under)), m_font(font) {}

QRectF MapOverPicture::between(const FigureRange& x, const FigureRange& y) const {
  const QPointF first(keyAxis()->coordToPixel(x.low), valueAxis()->coordToPixel(y.low));
  const QPointF last(keyAxis()->coordToPixel(x.high), valueAxis()->coordToPixel(y.high));
  return QRectF(first, last).normalized();
}

void MapOverPicture::draw(QCPPainter* painter) {
  painter->setRenderHint(QPainter::SmoothPixmapTransform);
  painter->drawImage(between(keyRange(m_panel), valueRange(m_panel)), m_picture);
  painter->setRenderHint(QPainter::SmoothPixmapTransform, false);
  QCPColorMap::draw(painter);
  drawValues(*painter);
}

void MapOverPicture::updateMapImage() {
  QCPColorMap::updateMapImage();
  makeTransparent(mMapImage, kOverPicture);
  makeTransparent(mUndersampledMapImage, kOverPicture);
}

/// The values are white with a black outline, so that they are legible on any colour.
void MapOverPicture::drawValues(QPainter& painter) const {
  const FigureMap& map = *m_panel.map;
  const QFontMetricsF metrics(m_font);
  const FigureRange range = colourRange(map);
  const auto text = [&](int row, int column) {
    return QString::fromStdString(cellText(range, double(map.grid.at(row, column))));
  };
  const auto place = [&](int row, int column) {
    const double x = map.x.at(column), y = map.y.at(row);
    return between({x - map.x.step / 2, x + map.x.step / 2},
                   {y - map.y.step / 2, y + map.y.step / 2});
  };
  const QRectF cell = place(0, 0);
  double scale = std::min(1.0, cell.height() / metrics.height());
  for (int row = 0; row < map.grid.rows(); ++row)
    for (int column = 0; column < map.grid.columns(); ++column) {
      // A stranger's map may have millions of cells, whose values do not fit.
      if (scale < kLeastScale) return;
      const double width = metrics.horizontalAdvance(text(row, column));
      scale = std::min(scale, kCellShare * cell.width() / width);
    }
  if (scale < kLeastScale) return;
  QFont font = m_font;
  font.setPixelSize(std::max(1, int(scale * m_font.pixelSize())));
  const QFontMetricsF fitted(font);
  const QPen outline(Qt::black, fitted.height() / 6, Qt::SolidLine, Qt::RoundCap,
                     Qt::RoundJoin);
  painter.setRenderHint(QPainter::Antialiasing);
  for (int row = 0; row < map.grid.rows(); ++row)
    for (int column = 0; column < map.grid.columns(); ++column) {
      const QRectF words = fitted.tightBoundingRect(text(row, column));
      QPainterPath path;
      path.addText(place(row, column).center() - words.center(), font, text(row, column));
      painter.strokePath(path, outline);
      painter.fillPath(path, Qt::white);
    }
}

}  // namespace equipatch

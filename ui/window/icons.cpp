#include "ui/window/icons.h"

#include <QPainter>
#include <QPainterPath>
#include <QPixmap>

namespace equipatch {
namespace {

constexpr int kSize = 16;
constexpr qreal kIconScale = 2.0;  // crisp on high-density screens

QPainterPath triangle(qreal left, qreal right) {
  QPainterPath path;
  path.moveTo(left, 2);
  path.lineTo(right, 8);
  path.lineTo(left, 14);
  path.closeSubpath();
  return path;
}

QPainterPath pathOf(TransportShape shape) {
  QPainterPath path;
  switch (shape) {
    case TransportShape::Run:
      return triangle(3.5, 14);
    case TransportShape::Pause:
      path.addRoundedRect(3, 2, 3.6, 12, 1, 1);
      path.addRoundedRect(9.4, 2, 3.6, 12, 1, 1);
      return path;
    case TransportShape::Step:
      path = triangle(2, 10.5);
      path.addRoundedRect(11.2, 2, 2.8, 12, 1, 1);
      return path;
    case TransportShape::Stop:
      path.addRoundedRect(2.5, 2.5, 11, 11, 1.5, 1.5);
      return path;
  }
  return path;
}

QPixmap draw(TransportShape shape, const QColor& colour) {
  QPixmap pixmap(QSize(kSize, kSize) * kIconScale);
  pixmap.setDevicePixelRatio(kIconScale);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillPath(pathOf(shape), colour);
  return pixmap;
}

}  // namespace

QIcon transportIcon(TransportShape shape, const QColor& colour, const QColor& disabled) {
  QIcon icon(draw(shape, colour));
  icon.addPixmap(draw(shape, disabled), QIcon::Disabled);
  return icon;
}

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompt/picture_view.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/chart/map_colours.h"

namespace equipatch {
namespace {

constexpr double kMapOpacity = 0.6;

}  // namespace

PictureView::PictureView(const Theme& theme, QWidget* parent)
    : QWidget(parent), m_theme(theme) {
  setObjectName(QStringLiteral("pictureView"));
  setAccessibleName(tr("Picture"));
  setFocusPolicy(Qt::StrongFocus);
  connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void PictureView::setImage(const QImage& image) {
  m_image = image;
  update();
}

void PictureView::setSide(int side) {
  m_side = side;
  pick(-1);
}

void PictureView::pick(int square) {
  if (square == m_picked || square >= m_side * m_side) return;
  m_picked = square;
  update();
  Q_EMIT squarePicked(square);
}

void PictureView::setMap(PictureMap map) {
  m_map = std::move(map);
  update();
}

QRectF PictureView::imageRect() const {
  QSizeF size = m_image.isNull() ? QSizeF(1, 1) : QSizeF(m_image.size());
  size.scale(QSizeF(this->size()) - QSizeF(4, 4), Qt::KeepAspectRatio);
  QRectF place(QPointF(), size);
  place.moveCenter(QRectF(rect()).center());
  return place;
}

QRectF PictureView::squareRect(int square, int side) const {
  const QRectF whole = imageRect();
  const double width = whole.width() / side, height = whole.height() / side;
  return {whole.left() + (square % side) * width, whole.top() + (square / side) * height,
          width, height};
}

void PictureView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::SmoothPixmapTransform);
  const QRectF whole = imageRect();
  if (m_image.isNull()) {
    painter.setPen(m_theme.colours().muted);
    painter.drawRect(whole);
    painter.drawText(whole, Qt::AlignCenter | Qt::TextWordWrap,
                     tr("The picture is being read, or cannot be shown."));
  } else {
    painter.drawImage(whole, m_image);
  }
  if (m_map.side > 0) paintMap(painter);
  if (m_picked >= 0) paintPicked(painter);
  if (hasFocus()) {
    painter.setPen(QPen(m_theme.colours().accent, 2.0));
    painter.drawRect(whole);
  }
}

void PictureView::paintMap(QPainter& painter) const {
  const auto [least, most] =
      std::minmax_element(m_map.values.begin(), m_map.values.end());
  painter.setOpacity(kMapOpacity);
  for (int i = 0; i < m_map.side * m_map.side; ++i)
    painter.fillRect(squareRect(i, m_map.side),
                     mapColour(m_map.values[std::size_t(i)], *least, *most));
  painter.setOpacity(1.0);
}

/// Two lines, so that the square is seen on any picture.
void PictureView::paintPicked(QPainter& painter) const {
  const QRectF square = squareRect(m_picked, m_side);
  painter.setPen(QPen(Qt::black, 4.0));
  painter.drawRect(square);
  painter.setPen(QPen(Qt::white, 2.0));
  painter.drawRect(square);
}

void PictureView::mousePressEvent(QMouseEvent* event) {
  const QRectF whole = imageRect();
  if (m_side == 0 || !whole.contains(event->position())) return;
  const QPointF place = event->position() - whole.topLeft();
  const int column = std::min(int(place.x() / whole.width() * m_side), m_side - 1);
  const int row = std::min(int(place.y() / whole.height() * m_side), m_side - 1);
  pick(row * m_side + column);
}

void PictureView::keyPressEvent(QKeyEvent* event) {
  if (m_side == 0) return QWidget::keyPressEvent(event);
  int row = m_picked / m_side, column = m_picked % m_side;
  switch (event->key()) {
    case Qt::Key_Left:
      --column;
      break;
    case Qt::Key_Right:
      ++column;
      break;
    case Qt::Key_Up:
      --row;
      break;
    case Qt::Key_Down:
      ++row;
      break;
    default:
      return QWidget::keyPressEvent(event);
  }
  if (m_picked < 0) return pick(0);
  pick(std::clamp(row, 0, m_side - 1) * m_side + std::clamp(column, 0, m_side - 1));
}

QColor mapColour(double value, double least, double most) {
  static QCPColorGradient gradient = sequentialGradient();
  const double width = most > least ? most - least : 1.0;
  return QColor::fromRgb(gradient.color((value - least) / width, QCPRange(0.0, 1.0)));
}

}  // namespace equipatch

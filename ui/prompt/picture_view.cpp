// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompt/picture_view.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "core/base/number_format.h"
#include "ui/chart/map_colours.h"
#include "ui/chart/number_text.h"
#include "ui/figure/picture_element.h"

namespace equipatch {
namespace {

// The scale below the image, in pixels: a line of text, a bar, and another line.
constexpr double kScaleGap = 6.0, kScaleBarHeight = 10.0;
constexpr int kScaleMargins = 18;  // the gap, the bar, and space below

}  // namespace

PictureView::PictureView(const Theme& theme, QWidget* parent)
    : QWidget(parent), m_theme(theme) {
  setObjectName(QStringLiteral("pictureView"));
  setAccessibleName(tr("Image"));
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void PictureView::setImage(const QImage& image) {
  m_image = image;
  m_grey = {};
  update();
}

void PictureView::setSide(int side) {
  m_side = side;
  select(-1);
}

void PictureView::select(int square) {
  if (square == m_selected || square < -1 || square >= m_side * m_side) return;
  m_selected = square;
  update();
  Q_EMIT squareSelected(square);
}

void PictureView::setMap(PictureMap map, const QString& title) {
  m_map = std::move(map);
  m_title = title;
  m_hovered = -1;
  std::vector<double> numbers;
  for (const double value : m_map.values)
    if (std::isfinite(value)) numbers.push_back(value);
  m_least = numbers.empty() ? 0.0 : std::ranges::min(numbers);
  m_most = numbers.empty() ? 0.0 : std::ranges::max(numbers);
  const auto textOfCell = [this](int cell) {
    return valueText(m_map.values[std::size_t(cell)]);
  };
  QStringList rows;
  for (int row = 0; row < m_map.side; ++row) {
    QStringList cells;
    for (int column = 0; column < m_map.side; ++column)
      cells << textOfCell(row * m_map.side + column);
    rows << cells.join(QStringLiteral(", "));
  }
  setAccessibleDescription(rows.isEmpty() ? QString()
                                          : title + QStringLiteral(": ") +
                                                rows.join(QStringLiteral("; ")));
  update();
}

void PictureView::setMapOpacity(double opacity) {
  m_opacity = opacity;
  update();
}

int PictureView::scaleHeight() const {
  return m_map.side > 0 ? 2 * fontMetrics().height() + kScaleMargins : 0;
}

QRectF PictureView::imageRect() const {
  QSizeF size = m_image.isNull() ? QSizeF(1, 1) : QSizeF(m_image.size());
  const QRectF room = QRectF(rect()).adjusted(2, 2, -2, -2 - scaleHeight());
  size.scale(room.size(), Qt::KeepAspectRatio);
  QRectF image(QPointF(), size);
  image.moveCenter(room.center());
  return image;
}

QRectF PictureView::squareRect(int square, int side) const {
  const QRectF whole = imageRect();
  const double width = whole.width() / side, height = whole.height() / side;
  const int row = square / side, column = square % side;
  return {whole.left() + column * width, whole.top() + row * height, width, height};
}

void PictureView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::SmoothPixmapTransform);
  const QRectF whole = imageRect();
  if (m_image.isNull()) {
    painter.setPen(m_theme.colours().muted);
    painter.drawRect(whole);
    painter.drawText(whole, Qt::AlignCenter | Qt::TextWordWrap,
                     tr("No image. It is being read, its file is damaged, or the run was "
                        "recorded without it."));
  } else {
    if (isMapShown() && m_grey.isNull()) m_grey = greyImage(m_image);
    // A grey image: other colours would mix with the map's.
    painter.drawImage(whole, isMapShown() ? m_grey : m_image);
  }
  if (isMapShown()) paintMap(painter);
  if (m_map.side > 0) paintScale(painter);
  if (m_selected >= 0) paintSelected(painter);
  if (hasFocus()) {
    painter.setPen(QPen(m_theme.colours().accent, 2.0));
    painter.drawRect(whole);
  }
}

void PictureView::paintMap(QPainter& painter) const {
  painter.setOpacity(m_opacity);
  for (int i = 0; i < m_map.side * m_map.side; ++i)
    painter.fillRect(squareRect(i, m_map.side), colourOf(m_map.values[std::size_t(i)]));
  painter.setOpacity(1.0);
  paintNumbers(painter);
  if (m_hovered >= 0 && !m_image.isNull()) paintUncoveredCell(painter);
}

void PictureView::paintUncoveredCell(QPainter& painter) const {
  const QRectF cell = squareRect(m_hovered, m_map.side), whole = imageRect();
  const double scale = m_image.width() / whole.width();
  const QRectF part((cell.topLeft() - whole.topLeft()) * scale, cell.size() * scale);
  painter.drawImage(cell, m_image, part);
  const QColor colour = colourOf(m_map.values[std::size_t(m_hovered)]);
  painter.setPen(QPen(colour, 3.0, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
  painter.drawRect(cell.adjusted(1.5, 1.5, -1.5, -1.5));
}

/// Draws the values, or none if one does not fit into its cell.
void PictureView::paintNumbers(QPainter& painter) const {
  constexpr double kMargin = 4.0;
  QStringList texts;
  int width = 0;
  for (const double value : m_map.values) {
    texts << valueText(value);
    width = std::max(width, fontMetrics().horizontalAdvance(texts.back()));
  }
  const QRectF first = squareRect(0, m_map.side);
  if (width + kMargin > first.width() || fontMetrics().height() > first.height()) return;
  for (int i = 0; i < int(texts.size()); ++i) {
    const QRectF cell = squareRect(i, m_map.side);
    painter.setPen(Qt::black);  // a shadow makes the number legible on any colour
    painter.drawText(cell.translated(1.0, 1.0), Qt::AlignCenter, texts[i]);
    painter.setPen(Qt::white);
    painter.drawText(cell, Qt::AlignCenter, texts[i]);
  }
}

QColor PictureView::colourOf(double value) const {
  return std::isfinite(value) ? mapColour(value, m_least, m_most)
                              : QColor(Qt::transparent);
}

QString PictureView::valueText(double value) const {
  return numberText(value, distinctDigits(m_least, m_most));
}

int PictureView::cellOf(int square) const {
  const int row = square / m_side * m_map.side / m_side;
  const int column = square % m_side * m_map.side / m_side;
  return row * m_map.side + column;
}

QString PictureView::selectionText() const {
  if (m_hovered >= 0)
    return tr("cell under the pointer: %1")
        .arg(valueText(m_map.values[std::size_t(m_hovered)]));
  if (m_selected < 0 || m_side == 0) return {};
  return tr("selected square: %1")
      .arg(valueText(m_map.values[std::size_t(cellOf(m_selected))]));
}

void PictureView::paintScale(QPainter& painter) const {
  const int line = fontMetrics().height();
  const QRectF whole = imageRect();
  const double top = whole.bottom() + kScaleGap;
  const QRectF bar(whole.left(), top + line, whole.width(), kScaleBarHeight);
  for (int x = 0; x < int(bar.width()); ++x)
    painter.fillRect(QRectF(bar.left() + x, bar.top(), 1.0, bar.height()),
                     mapColour(x, 0.0, bar.width()));
  painter.setPen(m_theme.colours().text);
  const QRectF above(whole.left(), top - 2.0, whole.width(), line);
  painter.drawText(above, Qt::AlignLeft, m_title);
  if (m_map.reference)
    painter.drawText(above, Qt::AlignRight,
                     tr("nothing kept: %1").arg(valueText(*m_map.reference)));
  const QRectF below(whole.left(), bar.bottom() + 1.0, whole.width(), line);
  painter.drawText(below, Qt::AlignLeft, valueText(m_least));
  painter.drawText(below, Qt::AlignRight, valueText(m_most));
  painter.drawText(below, Qt::AlignHCenter, selectionText());
}

/// White on black is visible on any image.
void PictureView::paintSelected(QPainter& painter) const {
  const QRectF square = squareRect(m_selected, m_side);
  painter.setPen(QPen(Qt::black, 4.0));
  painter.drawRect(square);
  painter.setPen(QPen(Qt::white, 2.0));
  painter.drawRect(square);
}

int PictureView::squareAt(const QPointF& position, int side) const {
  const QRectF whole = imageRect();
  if (side == 0 || !whole.contains(position)) return -1;
  const QPointF inside = position - whole.topLeft();
  const int column = std::min(int(inside.x() / whole.width() * side), side - 1);
  const int row = std::min(int(inside.y() / whole.height() * side), side - 1);
  return row * side + column;
}

void PictureView::hover(int cell) {
  if (cell == m_hovered) return;
  m_hovered = cell;
  update();
}

void PictureView::mousePressEvent(QMouseEvent* event) {
  if (const int square = squareAt(event->position(), m_side); square >= 0) select(square);
}

void PictureView::mouseMoveEvent(QMouseEvent* event) {
  hover(squareAt(event->position(), m_map.side));
}

void PictureView::keyPressEvent(QKeyEvent* event) {
  if (m_side == 0) return QWidget::keyPressEvent(event);
  // The first arrow key selects the square at the top left.
  int row = m_selected < 0 ? -1 : m_selected / m_side;
  int column = m_selected < 0 ? -1 : m_selected % m_side;
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
  select(std::clamp(row, 0, m_side - 1) * m_side + std::clamp(column, 0, m_side - 1));
}

QColor mapColour(double value, double least, double most) {
  static QCPColorGradient gradient = sequentialGradient();
  const double width = most > least ? most - least : 1.0;
  return QColor::fromRgb(gradient.color((value - least) / width, QCPRange(0.0, 1.0)));
}

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QWidget>
#include <optional>
#include <vector>

#include "core/figure/figure_picture.h"
#include "ui/chart/theme.h"

namespace equipatch {

/// Values over an image, on a square grid of its cells.
struct PictureMap {
  int side = 0;                          ///< cells on a side; 0: there is no map
  std::vector<double> values;            ///< row by row from the top left
  std::optional<double> reference = {};  ///< the value when no cell is kept
};

/// The colour for a value of a map whose values lie between `least` and `most`.
QColor mapColour(double value, double least, double most);

/// Shows an image, large, with the squares of its tokens. A click or the arrow keys pick
/// a square. Each token stands for the part of the image that its patches cover. A map
/// can be drawn over the image; the cell under the pointer shows the bare image.
class PictureView final : public QWidget {
  Q_OBJECT

 public:
  /// @param theme outlives the view
  explicit PictureView(const Theme& theme, QWidget* parent = nullptr);

  void setImage(const QImage& image);
  /// @param side squares on a side; 0: none can be picked
  void setSide(int side);
  /// The picked square, row by row from the top left; −1: none.
  int picked() const { return m_picked; }
  void pick(int square);
  /// Draws a map over the image and shows its scale below.
  /// @param title names the quantity
  void setMap(PictureMap map, const QString& title = {});
  /// @param opacity of the map's cells, from 0, which shows the image alone, to 1
  void setMapOpacity(double opacity);
  /// The rectangle of the widget in which the image is drawn.
  QRectF imageRect() const;
  QSize sizeHint() const override { return {480, 480}; }
  QSize minimumSizeHint() const override { return {160, 160}; }

 Q_SIGNALS:
  void squarePicked(int square);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent*) override { hover(-1); }
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent*) override { update(); }
  void focusOutEvent(QFocusEvent*) override { update(); }

 private:
  QRectF squareRect(int square, int side) const;
  /// The square of a grid under a point; −1: none.
  int squareAt(const QPointF& place, int side) const;
  void hover(int cell);
  bool isMapShown() const { return m_map.side > 0 && m_opacity > 0.0; }
  void paintMap(QPainter& painter) const;
  void paintBareCell(QPainter& painter) const;
  void paintNumbers(QPainter& painter) const;
  void paintScale(QPainter& painter) const;
  /// The map's colour of a value.
  QColor colourOf(double value) const { return mapColour(value, m_least, m_most); }
  /// A value with enough digits to tell the ends of the scale apart.
  QString valueText(double value) const;
  /// The value of the cell under the pointer or of the picked square, in words; empty:
  /// there is none.
  QString chosenText() const;
  int scaleHeight() const;
  void paintPicked(QPainter& painter) const;

  const Theme& m_theme;
  QImage m_image;
  QImage m_grey;  ///< null: no map was shown over it
  PictureMap m_map;
  double m_least = 0.0, m_most = 0.0;  ///< of the map's values
  QString m_title;
  int m_side = 0;
  int m_picked = -1;
  int m_hovered = -1;  ///< cell of the map
  double m_opacity = kOverPicture;
};

}  // namespace equipatch

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
  std::vector<double> values;            ///< [side · side], from the top left
  std::optional<double> reference = {};  ///< the value when the whole image is absorbed
};

/// The colour for a finite value of a map whose values lie between `least` and `most`;
/// if these are equal, the colour of the low end. Call on the window's thread.
QColor mapColour(double value, double least, double most);

/// Shows an image at a large size. A click or the arrow keys select one of the squares
/// that the image's tokens stand for. A map can be drawn over the image; the cell under
/// the pointer then shows the image itself.
class PictureView final : public QWidget {
  Q_OBJECT

 public:
  /// @param theme outlives the view
  explicit PictureView(const Theme& theme, QWidget* parent = nullptr);

  void setImage(const QImage& image);
  /// Sets the grid, without a selected square.
  /// @param side squares on a side; 0: none can be selected
  void setSide(int side);
  /// The selected square, row by row from the top left; −1: none.
  int selected() const { return m_selected; }
  /// @param square −1: none; ignored where it is outside the grid
  void select(int square);
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
  void squareSelected(int square);

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
  int squareAt(const QPointF& position, int side) const;
  void hover(int cell);
  bool isMapShown() const { return m_map.side > 0 && m_opacity > 0.0; }
  void paintMap(QPainter& painter) const;
  void paintUncoveredCell(QPainter& painter) const;
  void paintNumbers(QPainter& painter) const;
  void paintScale(QPainter& painter) const;
  /// The map's colour of a value; transparent if the value is not finite.
  QColor colourOf(double value) const;
  /// A value with enough digits to tell the ends of the scale apart.
  QString valueText(double value) const;
  /// The cell of the map that contains a token's square: a map has at most as many cells
  /// on a side as there are tokens.
  int cellOf(int square) const;
  /// The value of the cell under the pointer or of the selected square, in words; empty
  /// if there is neither.
  QString selectionText() const;
  int scaleHeight() const;
  void paintSelected(QPainter& painter) const;

  const Theme& m_theme;
  QImage m_image;
  QImage m_grey;  ///< `m_image` in grey; null until a map is drawn over it
  PictureMap m_map;
  double m_least = 0.0, m_most = 0.0;  ///< of the map's finite values
  QString m_title;
  int m_side = 0;
  int m_selected = -1;
  int m_hovered = -1;  ///< cell of the map
  double m_opacity = kOverPicture;
};

}  // namespace equipatch

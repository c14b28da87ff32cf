// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QWidget>
#include <optional>
#include <vector>

#include "core/figure/figure_picture.h"
#include "ui/chart/theme.h"

namespace equipatch {

/// Values of the cells of a square grid over an image.
struct PictureMap {
  int side = 0;                          ///< cells on a side; 0: there is no map
  std::vector<double> values;            ///< [side · side], row by row from the top left
  std::optional<double> reference = {};  ///< the value when the whole context is absorbed
};

/// The colour of a finite value on a scale from `least` to `most`. Call on the window's
/// thread.
QColor mapColour(double value, double least, double most);

/// Shows an image. The user can select a square in a grid of squares, one for each token.
/// A map can be drawn over the image; each cell of the map covers one or more squares.
class PictureView final : public QWidget {
  Q_OBJECT

 public:
  /// @param theme outlives the view
  explicit PictureView(const Theme& theme, QWidget* parent = nullptr);

  void setImage(const QImage& image);
  /// Sets the grid and clears the selection.
  /// @param side squares on a side; 0: no grid
  void setSide(int side);
  /// The selected square, row by row from the top left; −1: none.
  int selected() const { return m_selected; }
  /// @param square −1: none; any other square outside the grid is ignored
  void select(int square);
  /// Draws a map over the image and shows its scale below.
  /// @param title names the quantity
  void setMap(PictureMap map, const QString& title = {});
  /// @param opacity of the map's cells, from 0 to 1
  void setMapOpacity(double opacity);
  /// The image's rectangle in the widget.
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
  /// The square or cell under a point, in a grid of side × side; −1: none.
  int squareAt(const QPointF& position, int side) const;
  void hover(int cell);
  bool isMapShown() const { return m_map.side > 0 && m_opacity > 0.0; }
  void paintMap(QPainter& painter) const;
  void paintUncoveredCell(QPainter& painter) const;
  void paintNumbers(QPainter& painter) const;
  void paintScale(QPainter& painter) const;
  QColor colourOf(double value) const;
  QString valueText(double value) const;
  /// The map's cell that contains a square.
  int cellOf(int square) const;
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
  int m_hovered = -1;  ///< a cell of the map; −1: none
  double m_opacity = kOverPicture;
};

}  // namespace equipatch

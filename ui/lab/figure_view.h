// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QTimer>
#include <QWidget>
#include <optional>

#include "core/figure/figure.h"
#include "ui/chart/theme.h"

namespace equipatch {

/// Shows a figure in the window's colours, as wide as the view, and sets the view's
/// minimum height to the figure's.
class FigureView : public QWidget {
  Q_OBJECT

 public:
  /// @param theme must outlive the view.
  explicit FigureView(const Theme& theme, QWidget* parent = nullptr);

  /// Draws within 200 ms; draws only the last of several figures that are set until then.
  void setFigure(std::optional<Figure> figure);
  /// Shown while there is no figure.
  void setEmptyText(const QString& text);
  /// The last drawing; null if there was no figure, or no room for it.
  const QImage& image() const { return m_image; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void draw();
  void drawFigure();
  QString shownText() const;  ///< while there is no image
  void describe();

  const Theme& m_theme;
  std::optional<Figure> m_figure;
  QString m_emptyText;
  QImage m_image;
  bool m_fits = true;  ///< whether the figure had room when it was last drawn
  QTimer m_soon;
};

}  // namespace equipatch

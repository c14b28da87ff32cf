#pragma once

#include <QImage>
#include <QTimer>
#include <QWidget>
#include <optional>

#include "core/figure/figure.h"
#include "ui/chart/theme.h"

namespace equipatch {

/// A figure on the screen, in the window's colours: as wide as there is room for, two
/// panels side by side where they fit, and as high as that needs.
class FigureView final : public QWidget {
  Q_OBJECT

 public:
  /// @param theme outlives the view.
  explicit FigureView(const Theme& theme, QWidget* parent = nullptr);

  /// Drawn soon; of many in a row only some are.
  void setFigure(std::optional<Figure> figure);
  /// What stands where there is no figure.
  void setEmptyText(const QString& text);
  /// Null while there is no figure.
  const QImage& image() const { return m_image; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void draw();

  const Theme& m_theme;
  std::optional<Figure> m_figure;
  QString m_emptyText;
  QImage m_image;
  QTimer m_soon;
};

}  // namespace equipatch

#pragma once

#include <QString>
#include <QTimer>
#include <QWidget>
#include <optional>

#include "core/figure/figure.h"
#include "ui/figure/figure_style.h"

namespace equipatch {

/// A figure as it will be printed, as large as there is room for; or a sentence.
class FigurePreview final : public QWidget {
  Q_OBJECT

 public:
  explicit FigurePreview(QWidget* parent = nullptr);

  /// Drawn soon; many changes become one.
  void show(const Figure& figure, const FigureStyle& style);
  void say(const QString& sentence);
  QString sentence() const { return m_sentence; }
  /// Null until something was drawn.
  const QImage& image() const { return m_image; }

  QSize sizeHint() const override { return {560, 420}; }
  QSize minimumSizeHint() const override { return {280, 210}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void draw();

  std::optional<Figure> m_figure;
  FigureStyle m_style;
  QString m_sentence;
  QImage m_image;
  QTimer m_soon;
};

}  // namespace equipatch

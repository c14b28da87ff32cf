#include "ui/export/figure_preview.h"

#include <QPainter>
#include <algorithm>

#include "ui/figure/figure_file.h"
#include "ui/figure/figure_plot.h"
#include "ui/figure/paper.h"

namespace equipatch {
namespace {
constexpr int kPreviewMargin = 12;
}  // namespace

FigurePreview::FigurePreview(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Preview of the figure"));
  m_soon.setSingleShot(true);
  m_soon.setInterval(0);
  connect(&m_soon, &QTimer::timeout, this, &FigurePreview::draw);
}

void FigurePreview::show(const Figure& figure, const FigureStyle& style) {
  m_figure = figure;
  m_style = style;
  m_sentence.clear();
  m_soon.start();
}

void FigurePreview::say(const QString& sentence) {
  m_figure.reset();
  m_image = {};
  m_sentence = sentence;
  setAccessibleDescription(sentence);
  update();
}

void FigurePreview::resizeEvent(QResizeEvent*) {
  if (m_figure) m_soon.start();
}

void FigurePreview::draw() {
  if (!m_figure) return;
  const QSizeF paper =
      QSizeF(FigurePlot(*m_figure, m_style).size()) / Paper::kUnitsPerInch;
  const QSizeF room = QSizeF(size() - QSize(2 * kPreviewMargin, 2 * kPreviewMargin)) *
                      devicePixelRatioF();
  const double dpi =
      std::min(room.width() / paper.width(), room.height() / paper.height());
  m_image = figureImage(*m_figure, m_style, std::max(10, int(dpi)));
  m_image.setDevicePixelRatio(devicePixelRatioF());
  setAccessibleDescription(QString::fromStdString(m_figure->title));
  update();
}

void FigurePreview::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), palette().color(QPalette::AlternateBase));
  if (m_image.isNull()) {
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(
        rect().adjusted(kPreviewMargin, kPreviewMargin, -kPreviewMargin, -kPreviewMargin),
        Qt::AlignCenter | Qt::TextWordWrap, m_sentence);
    return;
  }
  const QSizeF drawn = m_image.deviceIndependentSize();
  const QPointF corner((width() - drawn.width()) / 2, (height() - drawn.height()) / 2);
  painter.drawImage(corner, m_image);
}

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/figure_view.h"

#include <QPainter>
#include <QResizeEvent>
#include <algorithm>

#include "core/base/error.h"
#include "ui/figure/figure_plot.h"

namespace equipatch {
namespace {

constexpr int kFigureMargin = 12;
constexpr int kRedrawMilliseconds = 200;  // leaves most of the time to training
constexpr double kPixelsPerInch = 108.0;  // 8 pt text is 12 pixels high
constexpr int kTwoColumns = 680;          // pixels needed for two panels

}  // namespace

FigureView::FigureView(const Theme& theme, QWidget* parent)
    : QWidget(parent), m_theme(theme) {
  setAccessibleName(tr("Figures of the experiment"));
  m_soon.setSingleShot(true);
  connect(&m_soon, &QTimer::timeout, this, &FigureView::draw);
  connect(&theme, &Theme::changed, this, [this] { m_soon.start(0); });
}

void FigureView::setFigure(std::optional<Figure> figure) {
  m_figure = std::move(figure);
  if (!m_soon.isActive()) m_soon.start(kRedrawMilliseconds);
}

void FigureView::setEmptyText(const QString& text) {
  m_emptyText = text;
  describe();
  update();
}

void FigureView::resizeEvent(QResizeEvent* event) {
  if (event->size().width() != event->oldSize().width()) m_soon.start(0);
}

/// @throws Error{BadInput} when the panels do not fit into the width
void FigureView::drawFigure() {
  const double room = std::max(200, width() - 2 * kFigureMargin);
  FigureStyle style;
  style.width = room / kPixelsPerInch;
  style.dark = m_theme.colours().dark;
  Figure figure = *m_figure;
  figure.columns = room < kTwoColumns ? 1 : figure.columns;
  FigurePlot plot(figure, style);
  const double scale = kPixelsPerInch * devicePixelRatioF() / Paper::kUnitsPerInch;
  m_image = QImage((QSizeF(plot.size()) * scale).toSize(), QImage::Format_RGB32);
  m_image.fill(m_theme.colours().surface);
  plot.paintPixels(m_image, scale);
  m_image.setDevicePixelRatio(devicePixelRatioF());
}

QString FigureView::shownText() const {
  return m_fits ? m_emptyText : tr("The figure does not fit; make the window wider.");
}

void FigureView::describe() {
  // After setFigure(nullopt), the old image stays until the next drawing.
  setAccessibleDescription(m_figure && !m_image.isNull()
                               ? QString::fromStdString(m_figure->title)
                               : shownText());
}

void FigureView::draw() {
  m_image = {};
  m_fits = true;
  try {
    if (m_figure) drawFigure();
  } catch (const Error&) {
    m_image = {};
    m_fits = false;
  }
  describe();
  setMinimumHeight(int(m_image.deviceIndependentSize().height()) + 2 * kFigureMargin);
  update();
}

void FigureView::paintEvent(QPaintEvent*) {
  const Colours& c = m_theme.colours();
  QPainter painter(this);
  painter.fillRect(rect(), c.surface);
  // On a screen with another pixel ratio, the image is stretched until it is redrawn.
  if (!m_image.isNull() && m_image.devicePixelRatio() != devicePixelRatioF())
    m_soon.start(0);
  if (!m_image.isNull())
    return painter.drawImage(QPoint(kFigureMargin, kFigureMargin), m_image);
  painter.setPen(c.muted);
  painter.drawText(
      rect().adjusted(kFigureMargin, kFigureMargin, -kFigureMargin, -kFigureMargin),
      Qt::AlignCenter | Qt::TextWordWrap, shownText());
}

}  // namespace equipatch

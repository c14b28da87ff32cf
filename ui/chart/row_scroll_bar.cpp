// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/row_scroll_bar.h"

#include <QKeyEvent>
#include <algorithm>
#include <array>

namespace equipatch {
namespace {

constexpr double kLinesPerRow = 2.2;  // of text: one for the words, the rest for the box
constexpr int kGap = 3;               // pixels beside the axes

}  // namespace

RowScrollBar::RowScrollBar(QCPAxisRect& rect)
    : QScrollBar(Qt::Vertical, rect.parentPlot()),
      m_rect(rect),
      m_margins(rect.minimumMargins()) {
  setObjectName(QStringLiteral("rowScrollBar"));
  setAccessibleName(tr("Rows of the chart"));
  setRange(0, 0);
  hide();
  connect(this, &QScrollBar::valueChanged, rect.parentPlot(),
          [plot = rect.parentPlot()] { plot->replot(QCustomPlot::rpQueuedReplot); });
}

void RowScrollBar::fit(const QFont& font) {
  if (m_rows == 0 && !scrolls()) return;  // most charts have no rows
  const double row = kLinesPerRow * QFontMetricsF(font).height();
  const int fitting = std::max(1, int(m_rect.height() / row));
  const int shown = std::min(fitting, m_rows);
  const bool scrolled = scrolls();
  setRange(0, m_rows - shown);
  setPageStep(std::max(1, shown));
  setVisible(scrolls());
  const int width = sizeHint().width();
  setGeometry(m_rect.right() + kGap, m_rect.top(), width, m_rect.height());
  if (m_rows > 0) {
    m_rect.axis(QCPAxis::atLeft)->setRange(value() - 0.5, value() + shown - 0.5);
    QList<QCPAxis*> zoomed;  // none while the wheel scrolls the rows
    if (!scrolls()) zoomed << m_rect.axis(QCPAxis::atBottom);
    m_rect.setRangeZoomAxes(zoomed);
  }
  if (scrolled == scrolls()) return;
  m_rect.setMinimumMargins(m_margins + QMargins(0, 0, scrolls() ? width : 0, 0));
  m_rect.parentPlot()->replot(QCustomPlot::rpQueuedReplot);
}

bool RowScrollBar::takeKey(QKeyEvent* event) {
  constexpr std::array kKeys{Qt::Key_Up,       Qt::Key_Down, Qt::Key_PageUp,
                             Qt::Key_PageDown, Qt::Key_Home, Qt::Key_End};
  if (!scrolls() || std::ranges::find(kKeys, event->key()) == kKeys.end()) return false;
  keyPressEvent(event);
  return true;
}

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figure/words_element.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "ui/chart/text_lines.h"

namespace equipatch {

WordsElement::WordsElement(QCustomPlot* plot, QStringList lines, const QFont& font,
                           const QColor& colour, Direction direction)
    : QCPLayoutElement(plot),
      m_lines(std::move(lines)),
      m_words(m_lines.join(u' ')),
      m_font(font),
      m_usualSize(font.pixelSize()),
      m_colour(colour),
      m_direction(direction) {}

QStringList WordsElement::wrapped(const QString& words, const QFont& font, double width,
                                  int most) {
  const QFontMetricsF metrics(font);
  QStringList lines;
  QString rest = words;
  while (lines.size() + 1 < most) {
    const qsizetype fitting = fittingLength(rest, metrics, width);
    if (fitting == rest.size()) break;
    const qsizetype end = rest.lastIndexOf(u' ', fitting);
    if (end <= 0) break;
    lines << rest.first(end);
    rest = rest.mid(end + 1);
  }
  return lines << metrics.elidedText(rest, Qt::ElideMiddle, width);
}

void WordsElement::fit(double length) {
  for (const double scale : {1.0, 0.9, 0.8, 0.7, 0.6}) {
    m_font.setPixelSize(std::max(1, int(scale * m_usualSize)));
    m_lines = wrapped(m_words, m_font, length, 2);
    if (m_lines.join(u' ') == m_words) break;
  }
  setMaximumSize(minimumOuterSizeHint().width(), QWIDGETSIZE_MAX);
}

QSize WordsElement::minimumOuterSizeHint() const {
  const int thickness = int(std::ceil(QFontMetricsF(m_font).height() * m_lines.size()));
  return (m_direction == Direction::Upwards ? QSize(thickness, 0) : QSize(0, thickness)) +
         QSize(margins().left() + margins().right(),
               margins().top() + margins().bottom());
}

void WordsElement::draw(QCPPainter* painter) {
  painter->setFont(m_font);
  painter->setPen(m_colour);
  const QRectF all = rect();
  if (m_direction == Direction::Along)
    return painter->drawText(all, Qt::AlignLeft | Qt::AlignTop | Qt::TextDontClip,
                             m_lines.join(u'\n'));
  painter->save();
  painter->translate(all.center());
  painter->rotate(-90.0);
  painter->drawText(
      QRectF(-all.height() / 2, -all.width() / 2, all.height(), all.width()),
      Qt::AlignCenter | Qt::TextDontClip, m_lines.join(u'\n'));
  painter->restore();
}

}  // namespace equipatch

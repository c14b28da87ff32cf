// SPDX-License-Identifier: GPL-3.0-or-later
// The title of a figure and the headings of its panels.
#include "ui/chart/text_lines.h"
#include "ui/figure/figure_layout.h"
#include "ui/figure/layout_parts.h"
#include "ui/figure/words_element.h"

namespace equipatch {
namespace {

constexpr int kMostTitleLines = 3, kMostHeadingLines = 5;

/// a, b, …, z, aa, ab, …
QString panelLetters(int index) {
  QString letters;
  for (int rest = index; rest >= 0; rest = rest / 26 - 1)
    letters.prepend(QChar(u'a' + rest % 26));
  return letters;
}

}  // namespace

void FigureLayout::addTitle() {
  if (!m_style.title || m_figure.title.empty()) return;
  const QFont font = m_paper.font(1.15, QFont::DemiBold);
  const QStringList lines =
      WordsElement::wrapped(QString::fromStdString(m_figure.title), font,
                            width() - Paper::units(2 * kPageMargin), kMostTitleLines);
  auto* title = new WordsElement(&m_plot, lines, font, m_paper.colours().text);
  m_plot.plotLayout()->addElement(0, 0, title);
  m_plot.plotLayout()->setRowStretchFactor(0, kNoStretch);
  m_height += title->minimumOuterSizeHint().height() + Paper::units(kPanelGap / 2);
}

QStringList FigureLayout::headings() const {
  constexpr double kUsable = 0.9;  // of the lines' width; line breaks waste the rest
  QStringList titles, letters;
  QList<double> rooms;
  const QFontMetricsF metrics(headingFont());
  for (int index = 0; index < count(); ++index) {
    letters << (m_style.letters ? QStringLiteral("(%1) ").arg(panelLetters(index))
                                : QString());
    titles << QString::fromStdString(m_figure.panels[std::size_t(index)].title);
    rooms << kUsable * kMostHeadingLines * (panelWidth(index) - Paper::units(kPanelGap)) -
                 metrics.horizontalAdvance(letters.back());
  }
  if (!titles.isEmpty()) titles = elidedApart(titles, metrics, rooms);
  for (int index = 0; index < count(); ++index)
    titles[index] = (letters[index] + titles[index]).trimmed();
  return titles;
}

QFont FigureLayout::headingFont() const {
  return m_paper.font(1.0, m_style.letters ? QFont::DemiBold : QFont::Normal);
}

void FigureLayout::addHeading(int index, Cell& cell) {
  const QString words = m_headings[index];
  if (words.isEmpty()) return;
  const QFont font = headingFont();
  const QStringList lines = WordsElement::wrapped(
      words, font, panelWidth(index) - Paper::units(kPanelGap), kMostHeadingLines);
  cell.upper->addElement(kHeading, 0,
                         new WordsElement(&m_plot, lines, font, m_paper.colours().text));
}

}  // namespace equipatch

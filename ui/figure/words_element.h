// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

#include "ui/figure/paper.h"

namespace equipatch {

/// Lines of text, or a label that reads upwards. Text that is too long reaches beyond its
/// cell of the layout.
class WordsElement final : public QCPLayoutElement {
 public:
  enum class Direction { Along, Upwards };

  WordsElement(QCustomPlot* plot, QStringList lines, const QFont& font,
               const QColor& colour, Direction direction = Direction::Along);

  const QStringList& lines() const { return m_lines; }

  /// Breaks the words into at most `most` lines of this width. A last line that is too
  /// long is elided in the middle, because its ends distinguish panels.
  static QStringList wrapped(const QString& words, const QFont& font, double width,
                             int most);

  /// Fits a label that reads upwards into `length`: breaks it into two lines, then
  /// shrinks its type to as little as 60 %, then elides it. Lay the plot out again
  /// afterwards.
  void fit(double length);

  QSize minimumOuterSizeHint() const override;

 protected:
  /// Adopts the margins of its margin group without contributing to them.
  int calculateAutoMargin(QCP::MarginSide) override { return 0; }
  void draw(QCPPainter* painter) override;

 private:
  QStringList m_lines;
  QString m_words;
  QFont m_font;
  int m_usualSize;  ///< of the font before fit(), pixels
  QColor m_colour;
  Direction m_direction;
};

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>

#include "core/figure/figure.h"
#include "ui/chart/theme.h"
#include "ui/qcp.h"

namespace equipatch {

/// Draws a panel's boxes and bars in rows, each with a name and the share of steps whose
/// most likely tokens are equal (FigureShare).
class PanelRows {
 public:
  enum class Names {
    Above,   ///< name and share are in the row, above its box or bar
    Beside,  ///< the name is left of the axes, the share is right of the axes
    Omitted  ///< no names (the panel to the left has them), shares as in Beside
  };
  /// Lengths are in the plot's units.
  struct Look {
    const Colours& colours;
    QFont font;
    double line;  ///< width of lines
    double dot;   ///< diameter of an outlier
    Names names = Names::Above;
  };

  /// @param rect outlives this
  explicit PanelRows(QCPAxisRect& rect) : m_rect(rect) {}

  /// Replaces what was drawn. Exact zeros are at zeroOn() for the x axis's present range;
  /// draw again when the range changes.
  void draw(const FigurePanel& panel, const Look& look);
  /// Breaks names beside the axes into lines, and elides names in the rows.
  /// @param width of the rows together with the words beside them
  void fitNames(double width);
  /// The most lines that a name has beside the axes; `width` as in fitNames.
  static int linesBeside(const FigurePanel& panel, const QFont& font, double width);

  const QList<QCPStatisticalBox*>& boxes() const { return m_boxes; }
  const QList<QCPBars*>& bars() const { return m_bars; }
  QString name(int row) const { return m_shownNames.at(row); }
  QString share(int row) const { return m_shownShares.at(row); }

 private:
  QCPAxis* x() const { return m_rect.axis(QCPAxis::atBottom); }
  QCPAxis* y() const { return m_rect.axis(QCPAxis::atLeft); }
  QCustomPlot& plot() const { return *m_rect.parentPlot(); }

  void clear();
  void addBox(const FigureBox& box, int row, const Look& look);
  void addZero(const FigureBox& box, int row, const Look& look);
  void addBar(const FigureBar& bar, int row, const Look& look);
  void addWords(const std::string& name, const std::string& share, int row,
                const Look& look);
  QCPItemText* addText(const QString& text, Qt::Alignment side, int row,
                       const Look& look);

  QCPAxisRect& m_rect;
  QList<QCPStatisticalBox*> m_boxes;
  QList<QCPBars*> m_bars;
  QList<QCPGraph*> m_zeros;
  void showBeside();

  QList<QCPItemText*> m_names, m_shares;
  QStringList m_wholeNames, m_shownNames, m_shownShares;
  Names m_place = Names::Above;
};

}  // namespace equipatch

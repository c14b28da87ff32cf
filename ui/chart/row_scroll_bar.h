// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollBar>

#include "ui/qcp.h"

namespace equipatch {

/// Scrolls the rows of a panel if the axes are not high enough for all rows. Each row
/// keeps the height that its words and its content need. The axis along x stays in view.
class RowScrollBar final : public QScrollBar {
  Q_OBJECT

 public:
  /// @param rect outlives this, and its plot is the parent
  explicit RowScrollBar(QCPAxisRect& rect);

  /// @param rows 0 for a panel without rows, whose axis y stays as it is
  void setRows(int rows) { m_rows = rows; }
  /// Sets the range of axis y and shows the bar if rows are out of view. To be called
  /// after each layout of the plot.
  /// @param font of the words in the rows
  void fit(const QFont& font);
  /// Whether rows are out of view, so that the wheel and the keys scroll.
  bool scrolls() const { return maximum() > 0; }
  /// Scrolls if rows are out of view and the key is one of a scroll bar: arrows up and
  /// down, Page, Home, End. @returns whether it took the key
  bool takeKey(QKeyEvent* event);

 private:
  QCPAxisRect& m_rect;
  QMargins m_margins;  ///< of the axes without the bar
  int m_rows = 0;
};

}  // namespace equipatch

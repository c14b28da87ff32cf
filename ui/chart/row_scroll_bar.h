// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollBar>

#include "ui/qcp.h"

namespace equipatch {

/// Scrolls the rows of a panel if the axes are not high enough for all rows. The x axis
/// stays in view.
class RowScrollBar final : public QScrollBar {
  Q_OBJECT

 public:
  /// @param rect outlives this; its plot becomes the parent
  explicit RowScrollBar(QCPAxisRect& rect);

  /// @param rows 0 for a panel without rows; fit() then leaves the y axis unchanged
  void setRows(int rows) { m_rows = rows; }
  /// Sets the range of the y axis and shows the bar if rows are out of view. Call it
  /// after each layout of the plot.
  void fit(const QFont& font);
  /// True if rows are out of view.
  bool scrolls() const { return maximum() > 0; }
  /// Scrolls by ↑, ↓, Page Up, Page Down, Home and End if rows are out of view.
  /// @returns whether the key was used
  bool takeKey(QKeyEvent* event);

 private:
  QCPAxisRect& m_rect;
  QMargins m_margins;  ///< minimum margins of the axes while the bar is hidden
  int m_rows = 0;
};

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QLabel>

#include "core/run/hand_table.h"

namespace equipatch {

/// A row of a patch multiplied out as a table (HandTable), or the reason why there is
/// none.
class HandView final : public QFrame {
  Q_OBJECT

 public:
  explicit HandView(QWidget* parent = nullptr);

  /// @param step the table's, for the heading
  void show(const std::optional<HandTable>& table, int step);
  /// Sets whether the table's font is the largest that fits into the view, for a
  /// projector, or the window's font.
  void setFilling(bool filling);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void setTypeSize(double factor);
  bool fits() const;
  void fill();

  bool m_isFilling = false;
  QLabel* m_heading;
  QLabel* m_table;
};

}  // namespace equipatch

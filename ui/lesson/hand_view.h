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

  void show(const std::optional<HandTable>& table, int step);

 private:
  QLabel* m_heading;
  QLabel* m_table;
};

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QList>
#include <QStringList>
#include <QWidget>

class QGridLayout;

namespace equipatch {

/// A small table of names (first column) and right-aligned values, which can be selected
/// and copied.
class NumberGrid final : public QWidget {
  Q_OBJECT

 public:
  explicit NumberGrid(QWidget* parent = nullptr);

  /// Shows these rows. Labels are reused, because this is called at every step.
  void setRows(const QList<QStringList>& rows);
  QString text(int row, int column) const;
  int rowCount() const { return m_rows; }

 private:
  QLabel* label(int row, int column);

  QGridLayout* m_layout;
  int m_rows = 0;
};

}  // namespace equipatch

#pragma once

#include <QLabel>
#include <QList>
#include <QStringList>
#include <QWidget>

class QGridLayout;

namespace equipatch {

/// A small table of labels and numbers that can be selected and copied. The first column
/// names, the others are values, right-aligned.
class NumberGrid final : public QWidget {
  Q_OBJECT

 public:
  explicit NumberGrid(QWidget* parent = nullptr);

  /// Shows these rows; the labels are reused, so that this is cheap at every step.
  void setRows(const QList<QStringList>& rows);
  QString text(int row, int column) const;
  int rowCount() const { return m_rows; }

 private:
  QLabel* label(int row, int column);

  QGridLayout* m_layout;
  int m_rows = 0;
};

}  // namespace equipatch

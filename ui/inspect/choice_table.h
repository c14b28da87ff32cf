#pragma once

#include <QAbstractTableModel>
#include <QFontMetrics>
#include <QRectF>
#include <QStyledItemDelegate>

#include "core/record/step_record.h"
#include "ui/chart/theme.h"

namespace equipatch {

/// Most likely tokens of the three passes side by side: a column a pass, a row a rank.
/// A fourth column holds the patched pass with a part of its patch, where that was tried.
class ChoiceModel final : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { Contextual, Patched, Bare, Part };
  enum Role {
    ProbabilityRole = Qt::UserRole,  ///< double
    PassRole,                        ///< Column
    DiffersRole,  ///< bool: not the token the contextual pass has at this rank
  };

  using QAbstractTableModel::QAbstractTableModel;

  void setStep(const StepRecord* record);  ///< null clears; copies what it shows
  /// Of the patched pass with another strength; no choices: there is none.
  void setPart(const Choices& choices, const QString& heading);
  /// What a column of the table shows: the control may be missing.
  Column columnAt(int section) const;
  const Choice* choice(const QModelIndex& index) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  const Choice* choice(int row, Column column) const;

  Choices m_choices[4];
  QString m_partHeading;
};

/// Draws a candidate: its token, its probability in percent and as a bar under them; in
/// italics where the contextual pass has another at that rank, with ✗ at a mismatch.
class ChoiceDelegate final : public QStyledItemDelegate {
  Q_OBJECT

 public:
  ChoiceDelegate(const Theme& theme, QObject* parent);

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option,
                 const QModelIndex& index) const override;

  static int rowHeight(const QFontMetrics& metrics);
  /// The bar of a probability in a cell.
  static QRectF bar(const QRectF& cell, double probability);

 private:
  const Theme& m_theme;
};

}  // namespace equipatch

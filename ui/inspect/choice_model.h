#pragma once

#include <QAbstractTableModel>

#include "core/record/step_record.h"

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

}  // namespace equipatch

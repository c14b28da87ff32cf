#pragma once

#include <QAbstractTableModel>

#include "core/record/step_record.h"

namespace equipatch {

/// Most likely tokens of the three passes side by side: a column a pass, a row a rank.
class ChoiceModel final : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { Contextual, Patched, Bare };
  enum Role {
    ProbabilityRole = Qt::UserRole,  ///< double
    DiffersRole,  ///< bool: not the token the contextual pass has at this rank
  };

  using QAbstractTableModel::QAbstractTableModel;

  void setStep(const StepRecord* record);  ///< null clears; copies what it shows

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  const Choice* choice(int row, int column) const;

  Choices m_choices[3];
};

}  // namespace equipatch

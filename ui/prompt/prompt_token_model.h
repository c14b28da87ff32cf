#pragma once

#include <QAbstractListModel>
#include <string>

#include "ui/prompt/absorbed_marks.h"

namespace equipatch {

/// The prompt's tokens as a list, special ones that stand in no text included, and which
/// of them are kept.
class PromptTokenModel final : public QAbstractListModel {
  Q_OBJECT

 public:
  enum Role {
    KeptRole = Qt::UserRole,  ///< bool
    SpecialRole,              ///< bool
  };

  /// @param marks outlives the model.
  explicit PromptTokenModel(const AbsorbedMarks& marks, QObject* parent = nullptr)
      : QAbstractListModel(parent), m_marks(marks) {}

  /// @param text that the tokens were made from
  void tokensChanged(std::string text);
  void marksChanged();

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;

 private:
  const AbsorbedMarks& m_marks;
  std::string m_text;
  int m_rows = 0;
};

}  // namespace equipatch

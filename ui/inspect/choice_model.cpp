#include "ui/inspect/choice_model.h"

#include <algorithm>

#include "ui/chart/number_text.h"
#include "ui/prompt/token_text.h"

namespace equipatch {

void ChoiceModel::setStep(const StepRecord* record) {
  beginResetModel();
  m_choices[Contextual] = record ? record->contextual : Choices{};
  m_choices[Patched] = record ? record->patched : Choices{};
  m_choices[Bare] = record ? record->bare : Choices{};
  endResetModel();
}

int ChoiceModel::rowCount(const QModelIndex& parent) const {
  if (parent.isValid()) return 0;
  std::size_t rows = 0;
  for (const Choices& choices : m_choices) rows = std::max(rows, choices.size());
  return int(rows);
}

int ChoiceModel::columnCount(const QModelIndex& parent) const {
  if (parent.isValid()) return 0;
  return m_choices[Bare].empty() ? 2 : 3;
}

const Choice* ChoiceModel::choice(int row, int column) const {
  const Choices& choices = m_choices[column];
  return std::size_t(row) < choices.size() ? &choices[std::size_t(row)] : nullptr;
}

QVariant ChoiceModel::data(const QModelIndex& index, int role) const {
  const Choice* found = choice(index.row(), index.column());
  if (!found) return {};
  const QString token = visibleToken(found->text, found->id);
  switch (role) {
    case Qt::DisplayRole:
      return token;
    case ProbabilityRole:
      return found->probability;
    case DiffersRole: {
      const Choice* reference = choice(index.row(), Contextual);
      return !reference || reference->id != found->id;
    }
    case Qt::ToolTipRole:
      return tr("%1, id %2\nlogit %3\nprobability %4")
          .arg(token)
          .arg(found->id.value)
          .arg(QString::number(found->logit, 'f', 5), percentText(found->probability));
    case Qt::AccessibleTextRole:
      return tr("%1, %2").arg(token, percentText(found->probability));
    default:
      return {};
  }
}

QVariant ChoiceModel::headerData(int section, Qt::Orientation orientation,
                                 int role) const {
  if (role != Qt::DisplayRole) return {};
  if (orientation == Qt::Vertical) return section + 1;
  if (section == Contextual) return tr("contextual, %");
  return section == Patched ? tr("patched, %") : tr("bare, %");
}

}  // namespace equipatch

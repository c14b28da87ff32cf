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

void ChoiceModel::setPart(const Choices& choices, const QString& heading) {
  // Under a moving slider only what the cells say changes: the current cell stays.
  const bool sameShape = m_choices[Part].size() == choices.size();
  if (!sameShape) beginResetModel();
  m_choices[Part] = choices;
  m_partHeading = heading;
  if (!sameShape) return endResetModel();
  if (choices.empty()) return;
  const int column = columnCount() - 1;
  Q_EMIT dataChanged(index(0, column), index(rowCount() - 1, column));
  Q_EMIT headerDataChanged(Qt::Horizontal, column, column);
}

int ChoiceModel::rowCount(const QModelIndex& parent) const {
  if (parent.isValid()) return 0;
  std::size_t rows = 0;
  for (const Choices& choices : m_choices) rows = std::max(rows, choices.size());
  return int(rows);
}

int ChoiceModel::columnCount(const QModelIndex& parent) const {
  if (parent.isValid()) return 0;
  return 2 + (m_choices[Bare].empty() ? 0 : 1) + (m_choices[Part].empty() ? 0 : 1);
}

ChoiceModel::Column ChoiceModel::columnAt(int section) const {
  const bool skipsBare = section == Bare && m_choices[Bare].empty();
  return skipsBare ? Part : Column(section);
}

const Choice* ChoiceModel::choice(int row, Column column) const {
  const Choices& choices = m_choices[column];
  return std::size_t(row) < choices.size() ? &choices[std::size_t(row)] : nullptr;
}

const Choice* ChoiceModel::choice(const QModelIndex& index) const {
  return index.isValid() ? choice(index.row(), columnAt(index.column())) : nullptr;
}

QVariant ChoiceModel::data(const QModelIndex& index, int role) const {
  const Choice* found = choice(index);
  if (!found) return {};
  const QString token = visibleToken(found->text, found->id);
  switch (role) {
    case Qt::DisplayRole:
      return token;
    case ProbabilityRole:
      return found->probability;
    case PassRole:
      return columnAt(index.column());
    case DiffersRole: {
      const Choice* reference = choice(index.row(), Contextual);
      return !reference || reference->id != found->id;
    }
    case Qt::ToolTipRole:
      return tr("%1, id %2\nlogit %3\nprobability %4\n\nEnter or double click: a new run "
                "goes on from here with this token")
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
  switch (columnAt(section)) {
    case Contextual:
      return tr("contextual, %");
    case Patched:
      return tr("patched, %");
    case Bare:
      return tr("bare, %");
    case Part:
      break;
  }
  return m_partHeading;
}

}  // namespace equipatch

#include "ui/runs/difference_model.h"

#include <QFont>
#include <algorithm>

#include "ui/chart/number_text.h"
#include "ui/prompt/token_text.h"

namespace equipatch {
namespace {

Qt::Alignment alignmentOf(int column) {
  const bool isNumber =
      column == DifferenceModel::LinfA || column == DifferenceModel::LinfB;
  const bool isVerdict =
      column == DifferenceModel::VerdictA || column == DifferenceModel::VerdictB;
  return (isNumber    ? Qt::AlignRight
          : isVerdict ? Qt::AlignHCenter
                      : Qt::AlignLeft) |
         Qt::AlignVCenter;
}

}  // namespace

DifferenceModel::DifferenceModel(RunDifferenceSides sides, QObject* parent)
    : QAbstractTableModel(parent), m_sides(std::move(sides)) {}

const StepRecord* DifferenceModel::step(const Steps& steps, int row) const {
  return row < std::ssize(steps) ? steps[std::size_t(row)].get() : nullptr;
}

bool DifferenceModel::differs(int row) const {
  const StepRecord *a = step(m_sides.a, row), *b = step(m_sides.b, row);
  return a && b && equipatch::differs(*a, *b);
}

int DifferenceModel::nextDifference(int from) const {
  const int rows = rowCount();
  for (int i = 1; i <= rows; ++i)
    if (const int row = (std::max(from, -1) + i) % rows; differs(row)) return row;
  return -1;
}

int DifferenceModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int(std::max(m_sides.a.size(), m_sides.b.size()));
}

int DifferenceModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int(kColumns);
}

QVariant DifferenceModel::text(int row, int column) const {
  if (column == Step) return differs(row) ? tr("%1 ≠").arg(row) : QString::number(row);
  const bool isA = column == TokenA || column == LinfA || column == VerdictA;
  const StepRecord* record = step(isA ? m_sides.a : m_sides.b, row);
  if (!record) return {};
  if (column == TokenA || column == TokenB)
    return visibleToken(record->tokenText, record->token);
  if (column == LinfA || column == LinfB) return numberText(record->patchedDistance.linf);
  return record->match
             ? tr("✓")
             : tr("✗ %1").arg(visibleToken(record->patchedText, record->patchedToken));
}

QVariant DifferenceModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  if (role == Qt::DisplayRole) return text(index.row(), index.column());
  if (role == Qt::FontRole && differs(index.row())) {
    QFont font;
    font.setBold(true);
    return font;
  }
  if (role == Qt::TextAlignmentRole) return int(alignmentOf(index.column()));
  return {};
}

QVariant DifferenceModel::headerData(int section, Qt::Orientation orientation,
                                     int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) return int(alignmentOf(section));
  if (role != Qt::DisplayRole) return {};
  const QStringList titles = {tr("step"), tr("token A"),   tr("token B"),  tr("L∞ A"),
                              tr("L∞ B"), tr("patched A"), tr("patched B")};
  return titles.value(section);
}

}  // namespace equipatch

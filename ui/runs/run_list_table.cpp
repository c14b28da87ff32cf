// SPDX-License-Identifier: GPL-3.0-or-later
// The list of runs as a table model: its cells, and what the user changes in them.
#include <QFont>

#include "core/figure/statistics.h"
#include "ui/chart/number_text.h"
#include "ui/chart/small_widgets.h"
#include "ui/chart/text_lines.h"
#include "ui/runs/run_list.h"

namespace equipatch {
namespace {

QString promptOf(const RunHeader& header) {
  constexpr int kEnough = 80;
  return startOfText(QString::fromStdString(shownPrompt(header.request)), kEnough);
}

/// Runs without a number come first in ascending order.
QVariant sortValue(const ListedRun& run, int column) {
  constexpr double kNone = -1.0;
  switch (column) {
    case RunList::Name:
      return run.name;
    case RunList::Steps:
      return int(run.steps.size());
    case RunList::Matches:
      return run.steps.empty() ? kNone : run.linf.equal.percent();
    case RunList::Median:
      return run.linf.count > 0 ? run.linf.median : kNone;  // NaN has no order
    default:
      return run.worth().count > 0 ? run.worth().largest() : kNone;
  }
}

int cellAlignment(int column) {
  const bool isNumber = column != RunList::Name;
  return int((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
}

}  // namespace

int RunList::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : count();
}

int RunList::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int(kColumns);
}

QVariant RunList::text(const ListedRun& run, int column) const {
  switch (column) {
    case Name:
      return run.name;
    case Steps:
      return QString::number(run.steps.size());
    case Matches:
      return run.steps.empty() ? tr("–")
                               : QString::fromStdString(shareText(run.linf.equal));
    case Median:
      return run.steps.empty() ? tr("–") : numberText(run.linf.median);
    default:
      return run.worth().count > 0 ? numberText(run.worth().largest()) : tr("–");
  }
}

QVariant RunList::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const ListedRun& run = at(index.row());
  const bool isName = index.column() == Name;
  switch (role) {
    case Qt::DisplayRole:
      return text(run, index.column());
    case Qt::EditRole:
      return run.name;
    case kSortRole:
      return sortValue(run, index.column());
    case Qt::CheckStateRole:
      return isName ? QVariant(run.shown ? Qt::Checked : Qt::Unchecked) : QVariant();
    case Qt::DecorationRole:
      return isName ? swatchOf(run.style(), m_theme.colours()) : QVariant();
    case Qt::TextAlignmentRole:
      return cellAlignment(index.column());
    case Qt::ToolTipRole:
      return plainToolTip(
          tr("%1\n%2, %3, %4\n%5")
              .arg(run.name, QString::fromStdString(run.header->modelName),
                   QString::fromStdString(precisionName(*run.header)),
                   countText(int(run.steps.size()), tr("step")), promptOf(*run.header)));
    case Qt::FontRole: {
      QFont font;
      font.setBold(index.row() == m_current);
      return font;
    }
    case Qt::AccessibleTextRole:
      return index.row() == m_current && isName ? tr("%1, on display").arg(run.name)
                                                : text(run, index.column());
    default:
      return {};
  }
}

QVariant RunList::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) return cellAlignment(section);
  if (role == Qt::ToolTipRole)
    return QStringList{tr("Charts draw the ticked runs"), tr("Steps so far"),
                       tr("Steps in which the most likely tokens of both passes agree, "
                          "whatever was sampled"),
                       tr("Median L∞ of the steps: how near the patch comes"),
                       tr("What the absorbed part is worth: the largest KL of a step, in "
                          "nats, of the ablated pass, or of the bare pass if the run "
                          "has no ablated pass")}
        .value(section);
  if (role != Qt::DisplayRole) return {};
  return QStringList{tr("run"), tr("steps"), tr("equal"), tr("L∞"), tr("worth")}.value(
      section);
}

Qt::ItemFlags RunList::flags(const QModelIndex& index) const {
  Qt::ItemFlags flags = QAbstractTableModel::flags(index);
  if (index.isValid() && index.column() == Name)
    flags |= Qt::ItemIsUserCheckable | Qt::ItemIsEditable;
  return flags;
}

void RunList::setShown(int row, bool shown) {
  setData(index(row, Name), shown ? Qt::Checked : Qt::Unchecked, Qt::CheckStateRole);
}

bool RunList::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!index.isValid() || index.column() != Name) return false;
  ListedRun& run = m_runs[std::size_t(index.row())];
  if (role == Qt::CheckStateRole) {
    run.shown = value.toInt() == Qt::Checked;
    Q_EMIT ticked();
  } else if (role == Qt::EditRole) {
    const QString name = value.toString().simplified();
    if (name == run.name) return false;  // an editor that was closed without a change
    run.ownName = name;
    nameAll();
    Q_EMIT renamed(index.row());
  } else {
    return false;
  }
  touch(index.row());
  return true;
}

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/difference_dialog.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QFont>
#include <QFormLayout>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "core/text/visible_text.h"
#include "ui/chart/number_text.h"
#include "ui/prompt/token_display.h"
#include "ui/window/window_geometry.h"

namespace equipatch {
namespace {

Qt::Alignment alignmentOf(int column) {
  using enum DifferenceModel::Column;
  const bool isNumber =
      column == LinfA || column == LinfB || column == BareA || column == BareB;
  const bool isVerdict = column == VerdictA || column == VerdictB;
  return (isNumber    ? Qt::AlignRight
          : isVerdict ? Qt::AlignHCenter
                      : Qt::AlignLeft) |
         Qt::AlignVCenter;
}

constexpr int kRowPadding = 7;  // pixels, above and below the text together

}  // namespace

void DifferenceModel::setSides(ComparedRun a, ComparedRun b) {
  beginResetModel();
  m_a = std::move(a);
  m_b = std::move(b);
  m_pair = pairOf({m_a.header.get(), &m_a.steps, m_a.file},
                  {m_b.header.get(), &m_b.steps, m_b.file});
  endResetModel();
}

std::int64_t DifferenceModel::stepOf(int row) const {
  return m_pair->begin() + row;
}

bool DifferenceModel::differs(int row) const {
  return m_pair && m_pair->differsAt(stepOf(row));
}

int DifferenceModel::nextDifference(int from) const {
  const int rows = rowCount();
  for (int i = 1; i <= rows; ++i)
    if (const int row = (std::max(from, -1) + i) % rows; differs(row)) return row;
  return -1;
}

int DifferenceModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || !m_pair ? 0 : int(m_pair->end() - m_pair->begin());
}

int DifferenceModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int(kColumns);
}

QVariant DifferenceModel::text(int row, int column) const {
  if (column == Step)
    return differs(row) ? tr("%1 ≠").arg(stepOf(row)) : QString::number(stepOf(row));
  const bool isA =
      column == TokenA || column == LinfA || column == VerdictA || column == BareA;
  const RunSide& side = isA ? m_pair->a : m_pair->b;
  const StepRecord* record = side.stepAt(stepOf(row));
  if (!record) {
    if (column != TokenA && column != TokenB) return {};
    const std::string token = side.inheritedAt(stepOf(row));
    return token.empty() ? QString()
                         : tr("(%1)").arg(QString::fromStdString(visibleText(token)));
  }
  if (column == TokenA || column == TokenB) return visibleToken(*record);
  if (column == BareA || column == BareB)
    return record->bareDistance ? numberText(record->bareDistance->kl) : QString();
  if (column == LinfA || column == LinfB) return numberText(record->patchedDistance.linf);
  if (!record->match)
    return tr("✗ %1").arg(record->patched.empty()
                              ? visiblePatchedToken(*record)
                              : visibleToken(record->patched.front()));
  return record->sampledMatch == false ? tr("✓ ◆ %1").arg(visiblePatchedToken(*record))
                                       : tr("✓");
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
  const QStringList titles = {tr("step"),      tr("token A"),   tr("token B"),
                              tr("L∞ A"),      tr("L∞ B"),      tr("patched A"),
                              tr("patched B"), tr("bare KL A"), tr("bare KL B")};
  return titles.value(section);
}

DifferenceDialog::DifferenceDialog(std::vector<ComparedRun> runs, int a, int b,
                                   QWidget* parent)
    : QDialog(parent),
      m_runs(std::move(runs)),
      m_model(new DifferenceModel(this)),
      m_summary(new QLabel(this)),
      m_table(new QTableView(this)) {
  setWindowTitle(tr("Two runs, step by step"));
  setObjectName(QStringLiteral("differenceDialog"));
  m_summary->setTextFormat(Qt::PlainText);
  m_summary->setWordWrap(true);
  composeTable();
  auto* layout = new QVBoxLayout(this);
  layout->addLayout(composeChoosers(a, b));
  layout->addWidget(m_summary);
  layout->addWidget(m_table, 1);
  layout->addWidget(composeButtons());
  compare();
  resizeWithinScreen(*this, {820, 520});
}

QLayout* DifferenceDialog::composeChoosers(int a, int b) {
  auto* rows = new QFormLayout;
  rows->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  for (const int side : {0, 1}) {
    auto* chooser = m_choosers[std::size_t(side)] = new QComboBox(this);
    chooser->setObjectName(side == 0 ? QStringLiteral("runA") : QStringLiteral("runB"));
    chooser->setAccessibleName(side == 0 ? tr("Run A") : tr("Run B"));
    chooser->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    chooser->setMinimumContentsLength(12);
    for (const ComparedRun& run : m_runs) chooser->addItem(run.name);
    chooser->setCurrentIndex(side == 0 ? a : b);
    rows->addRow(side == 0 ? tr("&A") : tr("&B"), chooser);
    connect(chooser, &QComboBox::currentIndexChanged, this, &DifferenceDialog::compare);
  }
  return rows;
}

QWidget* DifferenceDialog::composeButtons() {
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  m_next = buttons->addButton(tr("&Next difference"), QDialogButtonBox::ActionRole);
  QPushButton* copyAll = buttons->addButton(tr("&Copy"), QDialogButtonBox::ActionRole);
  copyAll->setToolTip(tr("The whole table, for a spreadsheet"));
  connect(m_next, &QPushButton::clicked, this, &DifferenceDialog::selectNext);
  connect(copyAll, &QPushButton::clicked, this, &DifferenceDialog::copy);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  return buttons;
}

void DifferenceDialog::compare() {
  const ComparedRun& a = m_runs[std::size_t(m_choosers[0]->currentIndex())];
  const ComparedRun& b = m_runs[std::size_t(m_choosers[1]->currentIndex())];
  m_model->setSides(a, b);
  const RunPair& runs = *m_model->pair();
  const RunDifference difference = differenceOf(runs);
  std::string summary = differentOrigins(runs);
  summary += (summary.empty() ? "" : " ") + inWords(difference, runs);
  if (difference.commonSteps > 0) summary += " " + medianSentence(difference);
  m_summary->setText(QString::fromStdString(summary));
  m_next->setEnabled(m_model->nextDifference(-1) >= 0);
}

void DifferenceDialog::composeTable() {
  m_table->setObjectName(QStringLiteral("differences"));
  m_table->setAccessibleName(tr("Steps of both runs"));
  m_table->setModel(m_model);
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  m_table->setAlternatingRowColors(true);
  m_table->setShowGrid(false);
  m_table->verticalHeader()->hide();
  m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().height() +
                                                   kRowPadding);
  m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
}

void DifferenceDialog::selectNext() {
  const int row = m_model->nextDifference(m_table->currentIndex().row());
  if (row >= 0) m_table->selectRow(row);
}

QString DifferenceDialog::text() const {
  QStringList lines;
  for (int row = -1; row < m_model->rowCount(); ++row) {
    QStringList cells;
    for (int column = 0; column < m_model->columnCount(); ++column)
      cells << (row < 0 ? m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole)
                        : m_model->data(m_model->index(row, column), Qt::DisplayRole))
                   .toString();
    lines << cells.join(u'\t');
  }
  return lines.join(u'\n');
}

void DifferenceDialog::copy() const {
  QGuiApplication::clipboard()->setText(text());
}

}  // namespace equipatch

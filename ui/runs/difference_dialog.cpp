#include "ui/runs/difference_dialog.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPushButton>
#include <QVBoxLayout>

namespace equipatch {
namespace {

constexpr int kRowPadding = 7;  // pixels, above and below the text together

}  // namespace

DifferenceDialog::DifferenceDialog(const RunDifferenceSides& sides, QWidget* parent)
    : QDialog(parent),
      m_model(new DifferenceModel(sides, this)),
      m_summary(new QLabel(this)),
      m_table(new QTableView(this)) {
  setWindowTitle(tr("Two runs, step by step"));
  setObjectName(QStringLiteral("differenceDialog"));
  const QString found =
      QString::fromStdString(inWords(differenceOf(sides.a, sides.b), sides.a, sides.b));
  m_summary->setText(tr("A is %1, B is %2. %3").arg(sides.nameA, sides.nameB, found));
  m_summary->setTextFormat(Qt::PlainText);
  m_summary->setWordWrap(true);
  composeTable();
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  QPushButton* next =
      buttons->addButton(tr("&Next difference"), QDialogButtonBox::ActionRole);
  next->setEnabled(m_model->nextDifference(-1) >= 0);
  QPushButton* copyAll = buttons->addButton(tr("&Copy"), QDialogButtonBox::ActionRole);
  copyAll->setToolTip(tr("The whole table, for a spreadsheet"));
  connect(next, &QPushButton::clicked, this, &DifferenceDialog::selectNext);
  connect(copyAll, &QPushButton::clicked, this, &DifferenceDialog::copy);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(m_summary);
  layout->addWidget(m_table, 1);
  layout->addWidget(buttons);
  resize(720, 520);
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/runs_panel.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "core/figure/run_figures.h"
#include "ui/runs/difference_dialog.h"

namespace equipatch {

RunsPanel::RunsPanel(RunList& runs, const Theme& theme, QWidget* parent)
    : QWidget(parent),
      m_runs(runs),
      m_theme(theme),
      m_table(new QTableView(this)),
      m_accuracy(new AccuracyChart(runs, theme, this)) {
  setObjectName(QStringLiteral("runsPanel"));
  composeTable();
  auto* parts = new QSplitter(Qt::Vertical, this);
  parts->setChildrenCollapsible(false);
  parts->addWidget(m_table);
  parts->addWidget(m_accuracy);
  parts->setSizes({2000, 3000});  // in proportion
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(4, 4, 4, 4);
  layout->setSpacing(5);
  layout->addWidget(makeButtons());
  layout->addWidget(parts, 1);
  connect(&runs, &RunList::changed, this, &RunsPanel::showState);
  connect(m_accuracy, &AccuracyChart::rowPicked, m_table, &QTableView::selectRow);
  showState();
}

void RunsPanel::composeTable() {
  m_table->setObjectName(QStringLiteral("runs"));
  m_table->setAccessibleName(tr("Runs"));
  m_table->setModel(&m_runs);
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->setEditTriggers(QAbstractItemView::EditKeyPressed);
  m_table->setContextMenuPolicy(Qt::CustomContextMenu);
  m_table->setShowGrid(false);
  m_table->setIconSize({20, 12});
  m_table->setTabKeyNavigation(false);
  m_table->verticalHeader()->hide();
  m_table->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  m_table->horizontalHeader()->setHighlightSections(false);
  m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  m_table->horizontalHeader()->setSectionResizeMode(RunList::Name, QHeaderView::Stretch);
  m_table->installEventFilter(this);
  connect(m_table, &QTableView::doubleClicked, this,
          [this](const QModelIndex& index) { Q_EMIT displayRequested(index.row()); });
  connect(m_table, &QTableView::customContextMenuRequested, this, [this](QPoint at) {
    QMenu menu(this);
    fillMenu(menu);
    if (!menu.isEmpty()) menu.exec(m_table->viewport()->mapToGlobal(at));
  });
}

QWidget* RunsPanel::makeButtons() {
  auto* row = new QWidget(this);
  m_grid = new QPushButton(tr("Run the grid"), row);
  m_grid->setObjectName(QStringLiteral("runGrid"));
  m_grid->setToolTip(
      tr("Runs the prompt four times: float32; bfloat16 with direct open, stable "
         "open and balanced closed patches (Ctrl+G)"));
  m_compare = new QPushButton(tr("Compare steps"), row);
  m_compare->setObjectName(QStringLiteral("compareSteps"));
  m_compare->setToolTip(tr("Compares the two selected runs step by step"));
  connect(m_grid, &QPushButton::clicked, this, &RunsPanel::gridRequested);
  connect(m_compare, &QPushButton::clicked, this, &RunsPanel::compareSteps);
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(m_grid);
  layout->addWidget(m_compare);
  layout->addStretch(1);
  return row;
}

void RunsPanel::showState() {
  m_compare->setEnabled(m_runs.count() >= 2);
}

std::vector<int> RunsPanel::selectedRows() const {
  std::vector<int> rows;
  for (const QModelIndex& index : m_table->selectionModel()->selectedRows())
    rows.push_back(index.row());
  std::ranges::sort(rows);
  return rows;
}

void RunsPanel::fillMenu(QMenu& menu) {
  const std::vector<int> rows = selectedRows();
  if (rows.empty()) return;
  const int row = rows.front();
  const QModelIndex name = m_runs.index(row, RunList::Name);
  menu.addAction(tr("Put on &display"), this,
                 [this, row] { Q_EMIT displayRequested(row); });
  menu.addAction(tr("&Rename"), this, [this, name] {
    m_table->setCurrentIndex(name);
    m_table->edit(name);
  });
  QMenu* colours = menu.addMenu(tr("&Colour and line"));
  for (int colour = 0; colour < kRunStyles; ++colour) {
    ListedRun sample;
    sample.colour = colour;
    QAction* action =
        colours->addAction(QIcon(swatchOf(sample.style(), m_theme.colours())),
                           tr("Style &%1").arg(colour + 1));
    connect(action, &QAction::triggered, this,
            [this, row, colour] { m_runs.setColour(row, colour); });
  }
  menu.addSeparator();
  menu.addAction(tr("Compare &steps"), this, &RunsPanel::compareSteps)
      ->setEnabled(m_runs.count() >= 2);
  menu.addAction(tr("C&lose"), this, &RunsPanel::closeSelected);
}

void RunsPanel::closeSelected() {
  std::vector<int> rows = selectedRows();
  std::ranges::reverse(rows);
  for (const int row : rows) m_runs.close(row);
}

std::vector<int> RunsPanel::pair() const {
  std::vector<int> rows = selectedRows();
  if (rows.size() == 1 && m_runs.current() >= 0 && rows.front() != m_runs.current())
    rows.insert(rows.begin(), m_runs.current());
  if (rows.size() == 1) {  // nothing else is on display: take its neighbour in the list
    const int last = m_runs.count() - 1;
    rows.push_back(rows.front() == last ? last - 1 : rows.front() + 1);
  }
  if (rows.size() < 2) rows = {m_runs.count() - 2, m_runs.count() - 1};
  rows.resize(2);
  return rows;
}

void RunsPanel::compareSteps() {
  if (m_runs.count() < 2)
    return Q_EMIT failed(
        tr("Comparing steps needs two runs, but the list has %1; run or open another.")
            .arg(m_runs.count()));
  const std::vector<int> rows = pair();
  const ListedRun &a = m_runs.at(rows[0]), &b = m_runs.at(rows[1]);
  auto* dialog = new DifferenceDialog({a.name, b.name, a.steps, b.steps}, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->show();
}

bool RunsPanel::eventFilter(QObject* watched, QEvent* event) {
  if (watched != m_table || event->type() != QEvent::KeyPress)
    return QWidget::eventFilter(watched, event);
  const int key = static_cast<const QKeyEvent*>(event)->key();
  const std::vector<int> rows = selectedRows();
  if (rows.empty()) return QWidget::eventFilter(watched, event);
  if (key == Qt::Key_Delete) {
    closeSelected();
    return true;
  }
  if (key == Qt::Key_Return || key == Qt::Key_Enter) {
    Q_EMIT displayRequested(rows.front());
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

AccuracyChart::AccuracyChart(const RunList& runs, const Theme& theme, QWidget* parent)
    : ChartView(tr("L∞ over the steps, and equal tokens"), theme, parent), m_runs(runs) {
  setObjectName(QStringLiteral("accuracyChart"));
  setEmptyText(tr("Ticked runs are compared here."));
  connect(&runs, &RunList::changed, this, &AccuracyChart::show);
  connect(&runs, &RunList::grew, this, &AccuracyChart::show);
  connect(this, &ChartView::clicked, this, [this](double, double place) {
    const std::vector<int> rows = m_runs.shownRows();
    const auto row = std::lround(place);
    if (row >= 0 && row < std::ssize(rows)) Q_EMIT rowPicked(rows[std::size_t(row)]);
  });
  show();
}

void AccuracyChart::show() {
  std::vector<FigureBox> boxes;
  for (const int row : m_runs.shownRows()) {
    const ListedRun& run = m_runs.at(row);
    FigureBox box = run.linf;
    box.name = run.name.toStdString();
    box.style = run.colour;
    boxes.push_back(std::move(box));
  }
  setDataVisible(!boxes.empty());
  setPanel(distancePanel(std::move(boxes)));
  refresh();
}

}  // namespace equipatch

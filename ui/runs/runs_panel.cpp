// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/runs_panel.h"

#include <QColorDialog>
#include <QHeaderView>
#include <QKeyEvent>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/chart/legend.h"
#include "ui/runs/difference_dialog.h"
#include "ui/runs/last_runs.h"
#include "ui/runs/run_name_delegate.h"

namespace equipatch {
RunsPanel::RunsPanel(RunList& runs, const Theme& theme, QWidget* parent)
    : QWidget(parent),
      m_runs(runs),
      m_theme(theme),
      m_sorted(new QSortFilterProxyModel(this)),
      m_table(new QTableView(this)),
      m_accuracy(new AccuracyChart(runs, theme, this)),
      m_alike(new QLabel(this)) {
  m_alike->setObjectName(QStringLiteral("alikeRuns"));
  m_alike->setTextFormat(Qt::PlainText);
  m_alike->setWordWrap(true);
  setObjectName(QStringLiteral("runsPanel"));
  composeTable();
  auto* parts = new QSplitter(Qt::Vertical, this);
  parts->setChildrenCollapsible(false);
  parts->addWidget(m_table);
  parts->addWidget(m_accuracy);
  parts->setSizes({2000, 3000});  // only the proportion matters
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(4, 4, 4, 4);
  layout->setSpacing(5);
  layout->addLayout(makeButtons());
  layout->addWidget(parts, 1);
  layout->addWidget(m_alike);  // last: it comes and goes, and must not move rows
  connect(&runs, &RunList::changed, this, &RunsPanel::showState);
  connect(&runs, &RunList::changed, this, &RunsPanel::selectDisplayed);
  connect(&runs, &RunList::ticked, this, [this] { m_ticked = true; });
  connect(&theme, &Theme::changed, this, &RunsPanel::showState);
  connect(m_accuracy, &AccuracyChart::runPicked, this, [this](int row) {
    select(row);
    if (row != m_runs.current()) Q_EMIT displayRequested(row);
  });
  showState();
  selectDisplayed();
}

void RunsPanel::composeTable() {
  m_table->setObjectName(QStringLiteral("runs"));
  m_table->setAccessibleName(tr("Runs"));
  m_sorted->setSourceModel(&m_runs);
  m_sorted->setSortRole(RunList::kSortRole);
  m_sorted->setSortLocaleAware(true);
  m_sorted->setDynamicSortFilter(false);  // rows stay under the mouse while a run grows
  m_table->setModel(m_sorted);
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->setEditTriggers(QAbstractItemView::EditKeyPressed);
  m_table->setContextMenuPolicy(Qt::CustomContextMenu);
  m_table->setShowGrid(false);
  m_table->setIconSize({20, 12});
  m_table->setTabKeyNavigation(false);
  m_table->verticalHeader()->hide();
  m_table->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  connect(m_table->verticalHeader(), &QHeaderView::sectionResized, this,
          &RunsPanel::keepCurrentWhole, Qt::QueuedConnection);
  composeHeader();
  m_table->setItemDelegateForColumn(RunList::Name, new RunNameDelegate(m_table));
  m_table->installEventFilter(this);
  connect(m_table, &QTableView::pressed, this, [this] { m_ticked = false; });
  connect(m_table, &QTableView::clicked, this, &RunsPanel::clicked);
  connect(m_table, &QTableView::customContextMenuRequested, this, [this](QPoint at) {
    QMenu menu(this);
    fillMenu(menu);
    if (!menu.isEmpty()) menu.exec(m_table->viewport()->mapToGlobal(at));
  });
}

/// The third click on the same header restores the order of the list.
void RunsPanel::composeHeader() {
  QHeaderView& header = *m_table->horizontalHeader();
  header.setHighlightSections(false);
  header.setTextElideMode(Qt::ElideRight);
  header.setSectionResizeMode(QHeaderView::ResizeToContents);
  header.setSectionResizeMode(RunList::Name, QHeaderView::Stretch);
  header.setSortIndicatorClearable(true);
  header.setSortIndicator(-1, Qt::AscendingOrder);
  m_table->setSortingEnabled(true);
}

QLayout* RunsPanel::makeButtons() {
  m_grid = new QPushButton(tr("Run the grid"), this);
  m_grid->setObjectName(QStringLiteral("runGrid"));
  m_grid->setToolTip(
      tr("Runs the prompt four times: in float32, and in bfloat16 with direct open, "
         "stable open and balanced closed patches; skips runs that are already in the "
         "list (Ctrl+G)"));
  auto* sentences = new QPushButton(tr("Each sentence"), this);
  sentences->setObjectName(QStringLiteral("runEachSentence"));
  sentences->setToolTip(
      tr("Runs the prompt once for each of its sentences, each time absorbing only that "
         "sentence, and ranks the sentences by their effect (KL divergence); unticks "
         "other runs"));
  connect(sentences, &QPushButton::clicked, this, &RunsPanel::sentencesRequested);
  m_compare = new QPushButton(tr("Compare"), this);
  m_compare->setObjectName(QStringLiteral("compareSteps"));
  m_compare->setToolTip(tr("Compares the two selected runs step by step"));
  m_settings = new QPushButton(tr("Use its settings"), this);
  m_settings->setObjectName(QStringLiteral("useSettings"));
  m_settings->setToolTip(
      tr("Sets model, dtype, method, steps and prompt as the run on "
         "display had them"));
  connect(m_grid, &QPushButton::clicked, this, &RunsPanel::gridRequested);
  connect(m_settings, &QPushButton::clicked, this, &RunsPanel::settingsRequested);
  connect(m_compare, &QPushButton::clicked, this, &RunsPanel::compareSteps);
  m_last = new LastRuns(m_runs, this);
  connect(m_last, &LastRuns::openRequested, this, &RunsPanel::openRequested);
  connect(m_last, &LastRuns::displayRequested, this, &RunsPanel::displayRequested);
  auto* row = new FlowLayout;
  row->addWidget(m_last);
  for (QPushButton* button : {m_grid, sentences, m_compare, m_settings})
    row->addWidget(button);
  return row;
}

/// Puts the clicked run on display. Does nothing if the click ticked a check box or, with
/// a modifier key, selected several runs or deselected this one.
void RunsPanel::clicked(const QModelIndex& index) {
  const int row = m_sorted->mapToSource(index).row();
  const bool alone = selectedRows() == std::vector<int>{row};
  const bool ticked = std::exchange(m_ticked, false);
  if (alone && !ticked && row != m_runs.current()) Q_EMIT displayRequested(row);
}

void RunsPanel::showState() {
  m_compare->setEnabled(m_runs.count() >= 2);
  m_settings->setEnabled(m_runs.current() >= 0);
  QStringList groups;
  for (QStringList& names : m_runs.alike()) {
    const QString last = names.takeLast();
    groups << tr("%1 and %2").arg(names.join(QStringLiteral(", ")), last);
  }
  m_alike->setVisible(!groups.isEmpty());
  if (groups.isEmpty()) return;
  const auto more = int(groups.size()) - 1;
  m_alike->setText(tr("Look alike in charts: %1%2. The menu of a run has other colours.")
                       .arg(groups.first(),
                            more > 0 ? tr("; and %n more", nullptr, more) : QString()));
  m_alike->setToolTip(plainToolTip(groups.join(u'\n')));
}

/// Selects the run on display, unless it was already on display at the previous call.
void RunsPanel::selectDisplayed() {
  const int row = m_runs.current();
  const RunHeader* displayed = row < 0 ? nullptr : m_runs.at(row).header.get();
  if (std::exchange(m_displayed, displayed) != displayed && displayed) select(row);
}

void RunsPanel::select(int row) {
  const QModelIndex index = m_sorted->mapFromSource(m_runs.index(row, RunList::Name));
  // selectRow() would obey a modifier key that is held down, such as Ctrl of Ctrl+G.
  m_table->selectionModel()->setCurrentIndex(
      index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
  m_table->scrollTo(index);
}

/// Scrolls to the current row if any part of it is visible: after a change of heights,
/// the rest may be out of view.
void RunsPanel::keepCurrentWhole() {
  const QModelIndex current = m_table->currentIndex();
  if (m_table->visualRect(current).intersects(m_table->viewport()->rect()))
    m_table->scrollTo(current);
}

std::vector<int> RunsPanel::selectedRows() const {
  std::vector<int> rows;
  for (const QModelIndex& index : m_table->selectionModel()->selectedRows())
    rows.push_back(m_sorted->mapToSource(index).row());
  std::ranges::sort(rows);
  return rows;
}

/// The current row if it is selected; otherwise the first selected row.
/// @param rows selected, ascending, not empty
int RunsPanel::currentOf(const std::vector<int>& rows) const {
  const int current = m_sorted->mapToSource(m_table->currentIndex()).row();
  return std::ranges::binary_search(rows, current) ? current : rows.front();
}

void RunsPanel::editName(int row) {
  const QModelIndex name = m_sorted->mapFromSource(m_runs.index(row, RunList::Name));
  m_table->setCurrentIndex(name);
  m_table->edit(name);
}

/// The entries act on the runs that are selected now: the selection may change while the
/// menu is open.
void RunsPanel::fillMenu(QMenu& menu) {
  const std::vector<int> rows = selectedRows();
  if (rows.empty()) return;
  const int row = currentOf(rows);
  menu.addAction(tr("Put on &display"), this,
                 [this, row] { Q_EMIT displayRequested(row); });
  menu.addAction(rows.size() == 1 ? tr("Tick &only this") : tr("Tick &only these"), this,
                 [this, rows] {
                   for (int each = 0; each < m_runs.count(); ++each)
                     m_runs.setShown(each, std::ranges::binary_search(rows, each));
                 });
  const ListedRun& run = m_runs.at(row);
  menu.addAction(tr("Con&tinue"), this, [this, row] { Q_EMIT continueRequested(row); })
      ->setEnabled(!run.file.empty() && run.ending && *run.ending != RunEnding::Complete);
  menu.addAction(tr("&Rename"), this, [this, row] { editName(row); });
  addColours(*menu.addMenu(tr("&Colour and line")), row);
  menu.addSeparator();
  menu.addAction(tr("Compare &steps"), this, [this, rows] { compare(rows); })
      ->setEnabled(m_runs.count() >= 2);
  const auto count = int(rows.size());
  menu.addAction(count == 1 ? tr("C&lose") : tr("C&lose %n runs", nullptr, count), this,
                 [this, rows] { closeRuns(rows); });
}

void RunsPanel::addColours(QMenu& menu, int row) {
  for (int colour = 0; colour < kRunStyles; ++colour) {
    ListedRun sample;
    sample.colour = colour;
    QAction* action = menu.addAction(QIcon(swatchOf(sample.style(), m_theme.colours())),
                                     styleText(colour));
    connect(action, &QAction::triggered, this,
            [this, row, colour] { m_runs.setColour(row, colour); });
  }
  menu.addSeparator();
  menu.addAction(tr("&Another colour…"), this, [this, row] { chooseColour(row); });
}

/// Finds the run's row again when the user has chosen a colour: the list may change while
/// the dialog is open.
void RunsPanel::chooseColour(int row) {
  const ListedRun& run = m_runs.at(row);
  auto* dialog = new QColorDialog(run.style().in(m_theme.colours()), this);
  dialog->setObjectName(QStringLiteral("runColour"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  const FigureRun wanted{.name = {}, .header = run.header, .steps = {}, .file = run.file};
  connect(dialog, &QColorDialog::colorSelected, this,
          [this, wanted](const QColor& colour) {
            if (const int now = m_runs.rowOf(wanted); now >= 0)
              m_runs.setOwnColour(now, colour);
          });
  dialog->open();
}

void RunsPanel::closeSelected() {
  closeRuns(selectedRows());
}

void RunsPanel::closeRuns(const std::vector<int>& rows) {
  const int displayed = m_runs.current();
  m_runs.close(rows);
  if (std::ranges::count(rows, displayed) > 0) Q_EMIT displayedClosed(displayed);
}

std::vector<int> RunsPanel::pair(std::vector<int> rows) const {
  if (rows.size() == 1 && m_runs.current() >= 0 && rows.front() != m_runs.current())
    rows.insert(rows.begin(), m_runs.current());
  if (rows.size() == 1) {  // no other run is on display
    const int last = m_runs.count() - 1,
              neighbour = rows[0] == last ? last - 1 : rows[0] + 1;
    rows.push_back(m_runs.parentOf(rows[0]).value_or(neighbour));
  }
  if (rows.size() < 2) rows = {m_runs.count() - 2, m_runs.count() - 1};
  rows.resize(2);
  return rows;
}

void RunsPanel::compareSteps() {
  compare(selectedRows());
}

void RunsPanel::compare(const std::vector<int>& selected) {
  if (m_runs.count() < 2)
    return Q_EMIT failed(
        tr("Comparing steps needs two runs, but the list has %1; run or open another.")
            .arg(m_runs.count()));
  const std::vector<int> rows = pair(selected);
  std::vector<ComparedRun> runs;
  for (int row = 0; row < m_runs.count(); ++row) {
    const ListedRun& run = m_runs.at(row);
    runs.push_back({run.name, run.header, run.steps, run.file.filename().string()});
  }
  auto* dialog = new DifferenceDialog(std::move(runs), rows[0], rows[1], this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->show();
}

/// Ticks all selected runs if the current one is not ticked; otherwise unticks them all.
void RunsPanel::tickSelected() {
  const std::vector<int> rows = selectedRows();
  const bool shown = !m_runs.at(currentOf(rows)).shown;
  for (const int row : rows) m_runs.setShown(row, shown);
}

void RunsPanel::hideColumns() {
  const int digits = m_table->width() / m_table->fontMetrics().horizontalAdvance(u'0');
  // The least table width, in digits, at which a column is shown. It leaves the names
  // room for long words such as "bfloat16".
  constexpr std::pair<RunList::Column, int> kLeast[] = {{RunList::Steps, 60},
                                                        {RunList::Worth, 52},
                                                        {RunList::Median, 34},
                                                        {RunList::Matches, 24}};
  for (const auto& [column, least] : kLeast)
    m_table->setColumnHidden(column, digits < least);
}

bool RunsPanel::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_table && event->type() == QEvent::Resize) hideColumns();
  if (watched != m_table || event->type() != QEvent::KeyPress)
    return QWidget::eventFilter(watched, event);
  const int key = static_cast<const QKeyEvent*>(event)->key();
  const std::vector<int> rows = selectedRows();
  // The Return key that ends the editing of a name also reaches the table.
  const bool isEditing = m_table->indexWidget(m_table->currentIndex()) != nullptr;
  if (rows.empty() || isEditing) return QWidget::eventFilter(watched, event);
  if (key == Qt::Key_Delete) {
    closeSelected();
    return true;
  }
  if (key == Qt::Key_Return || key == Qt::Key_Enter) {
    Q_EMIT displayRequested(currentOf(rows));
    return true;
  }
  if (key == Qt::Key_F2) {
    editName(currentOf(rows));
    return true;
  }
  if (key == Qt::Key_Space) {
    tickSelected();
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace equipatch

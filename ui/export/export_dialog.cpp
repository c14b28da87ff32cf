// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/export_dialog.h"

#include <QFileDialog>
#include <QFormLayout>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QSettings>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>

#include "core/figure/run_names.h"
#include "core/figure/run_places.h"
#include "ui/chart/heatmap_chart.h"

namespace equipatch {
namespace {

const QString kKindKey = QStringLiteral("figure/kind");

QString title(FigureKind kind) {
  switch (kind) {
    case FigureKind::ByToken:
      return ExportDialog::tr("Logit differences by token");
    case FigureKind::Accuracy:
      return ExportDialog::tr("Accuracy by dtype and method");
    case FigureKind::PatchNorms:
      return ExportDialog::tr("Patch size by layer");
    case FigureKind::ScaleHeatmap:
      return ExportDialog::tr("Δm by layer and channel");
    case FigureKind::LayerError:
      return ExportDialog::tr("Hidden error by layer");
    case FigureKind::Overview:
      return ExportDialog::tr("All panels");
    case FigureKind::Image:
      return ExportDialog::tr("Images and logit differences");
    case FigureKind::Effect:
      return ExportDialog::tr("Worth of the absorbed parts");
  }
  return {};
}

/// The lowest style number that no run has.
int freeStyle(const std::vector<FigureRun>& runs) {
  int style = 0;
  while (std::ranges::find(runs, style, &FigureRun::style) != runs.end()) ++style;
  return style;
}

}  // namespace

ExportDialog::ExportDialog(std::vector<FigureRun> runs, std::vector<FigureRun> known,
                           QWidget* parent)
    : FigureDialog(parent),
      m_runs(std::move(runs)),
      m_known(std::move(known)),
      m_kinds(new QComboBox),
      m_list(new QListWidget),
      m_add(new QPushButton(tr("A&dd run…"))),
      m_remove(new QPushButton(tr("&Remove"))),
      m_oneStep(new QCheckBox(tr("Only &step"))),
      m_onlyOne(new QLabel(tr("&Step"))),
      m_step(new QSpinBox),
      m_mapStep(new QSpinBox),
      m_measures(new QComboBox),
      m_logarithmic(new QCheckBox(tr("Lo&garithmic colours"))),
      m_limit(new QDoubleSpinBox),
      m_grouping(new QComboBox),
      m_spaces(new QCheckBox(tr("Visible spaces in to&kens"))),
      m_worker(m_bridge) {
  for (FigureRun& run : m_runs) {
    if (!run.style) run.style = freeStyle(m_runs);
    run.own = run.name;
  }
  QWidget* content = composeContent();
  listRuns();
  // toInt, because QSettings may return a text, but findData compares with numbers.
  const int kept = m_kinds->findData(QSettings().value(kKindKey).toInt());
  m_kinds->setCurrentIndex(std::max(0, kept));
  enableChoices();
  compose(content);
  connectAll();
}

QWidget* ExportDialog::composeContent() {
  for (int i = 0; i < kFigureKinds; ++i)
    if (FigureKind(i) != FigureKind::Image) m_kinds->addItem(title(FigureKind(i)), i);
  m_measures->addItems({tr("absolute, ‖ΔW‖"), tr("relative, ‖ΔW‖ / ‖W‖")});
  m_logarithmic->setChecked(QSettings().value(kLogarithmicKey, true).toBool());
  m_remove->setObjectName(QStringLiteral("removeRun"));
  m_list->setAccessibleName(tr("Runs in the figure"));
  m_list->setToolTip(tr(
      "In the order of the legend. Double click or F2 renames a run, also in its file; "
      "dragging moves it. In All panels the patch and its map are the first run's."));
  m_list->setMaximumHeight(110);
  m_list->setSelectionMode(QAbstractItemView::ExtendedSelection);
  m_list->setDragDropMode(QAbstractItemView::InternalMove);
  m_step->setAccessibleName(tr("Step that is drawn"));
  auto* step = new QHBoxLayout;
  step->addWidget(m_oneStep);
  step->addWidget(m_onlyOne);
  m_onlyOne->setBuddy(m_step);
  step->addWidget(m_step, 1);
  auto* rename = new QPushButton(tr("Rename run"));
  rename->setObjectName(QStringLiteral("renameRun"));
  rename->setToolTip(
      tr("Gives the run another name: in figures, in the list of runs and in its file"));
  connect(rename, &QPushButton::clicked, this,
          [this] { m_list->editItem(m_list->item(std::max(0, m_list->currentRow()))); });
  auto* buttons = new QHBoxLayout;
  auto* up = new QPushButton(tr("↑"));
  up->setObjectName(QStringLiteral("moveUp"));
  up->setAccessibleName(tr("Move up"));
  up->setToolTip(tr("Moves the run up in the list"));
  up->setFixedWidth(up->sizeHint().height());
  connect(up, &QPushButton::clicked, this, [this] {
    const int row = m_list->currentRow();
    if (row > 0) moveRun(row, row - 1);
  });
  for (QPushButton* button : {m_add, rename, m_remove, up}) {
    button->setAutoDefault(false);  // Enter presses the save button instead
    buttons->addWidget(button);
  }
  auto* form = new QFormLayout;
  addChoices(*form);
  auto* content = new QWidget;
  auto* rows = new QVBoxLayout(content);
  rows->setContentsMargins({});
  rows->addLayout(form);
  rows->addLayout(step);
  rows->addLayout(makeParts());
  rows->addWidget(m_logarithmic);
  rows->addWidget(m_spaces);
  rows->addWidget(m_list);
  rows->addLayout(buttons);
  return content;
}

void ExportDialog::addChoices(QFormLayout& form) {
  m_grouping->addItem(tr("each run"), int(RunGrouping::Each));
  m_grouping->addItem(tr("runs of equal settings"), int(RunGrouping::Settings));
  m_grouping->addItem(tr("all runs"), int(RunGrouping::All));
  m_grouping->setToolTip(
      tr("By token and in the hidden error: a curve for each run, or the median of "
         "several runs and a band from their 10th to their 90th percentile"));
  constexpr double kMostLimit = 1e9;
  m_limit->setRange(0.0, kMostLimit);
  m_limit->setDecimals(6);
  m_limit->setSpecialValueText(tr("the run's largest"));
  m_limit->setKeyboardTracking(false);
  m_limit->setToolTip(tr("The value at the end of the map's colours"));
  form.addRow(tr("&Figure"), m_kinds);
  form.addRow(tr("&Measure"), m_measures);
  form.addRow(tr("C&urves of"), m_grouping);
  m_mapStep->setAccessibleName(tr("Step of the map"));
  form.addRow(tr("M&ap of step"), m_mapStep);
  form.addRow(tr("Colours u&p to"), m_limit);
}

/// Check boxes for the panels of "All panels".
QLayout* ExportDialog::makeParts() {
  const std::array<QString, kOverviewParts> titles = {tr("by token"), tr("patch size"),
                                                      tr("hidden error"), tr("Δm map")};
  auto* grid = new QGridLayout;
  for (int part = 0; part < kOverviewParts; ++part) {
    auto* box = m_parts[std::size_t(part)] = new QCheckBox(titles[std::size_t(part)]);
    box->setChecked(true);
    grid->addWidget(box, part / 2, part % 2);
    connect(box, &QCheckBox::toggled, this, &ExportDialog::choicesChanged);
  }
  return grid;
}

void ExportDialog::connectAll() {
  connect(m_kinds, &QComboBox::currentIndexChanged, this,
          [this] { styleForm()->suggestColumns(isWide(kind()) ? 2 : 1); });
  for (QComboBox* box : {m_kinds, m_measures, m_grouping})
    connect(box, &QComboBox::currentIndexChanged, this, &ExportDialog::choicesChanged);
  connect(m_limit, &QDoubleSpinBox::valueChanged, this, &ExportDialog::choicesChanged);
  for (QCheckBox* box : {m_oneStep, m_logarithmic, m_spaces})
    connect(box, &QCheckBox::toggled, this, &ExportDialog::choicesChanged);
  for (QSpinBox* box : {m_step, m_mapStep})
    connect(box, &QSpinBox::valueChanged, this, &ExportDialog::choicesChanged);
  connect(m_add, &QPushButton::clicked, this, &ExportDialog::chooseRun);
  connect(m_remove, &QPushButton::clicked, this, &ExportDialog::removeRun);
  connect(&m_bridge, &WorkerBridge::finished, this, &ExportDialog::addRead);
  connect(&m_bridge, &WorkerBridge::failed, this, [this](const QString& sentence) {
    endReading();
    showMessage(sentence);
  });
  connect(&m_bridge, &WorkerBridge::progressed, this,
          [this](double fraction, const QString& label) {
            showMessage(QStringLiteral("%1: %2 %").arg(label).arg(int(100 * fraction)));
          });
  connect(this, &FigureDialog::saved, this,
          [this] { QSettings().setValue(kKindKey, int(kind())); });
  // Queued, because moveRun rebuilds the list, which must not happen during the move.
  connect(
      m_list->model(), &QAbstractItemModel::rowsMoved, this,
      [this](const QModelIndex&, int from, int, const QModelIndex&, int before) {
        moveRun(from, before > from ? before - 1 : before);
      },
      Qt::QueuedConnection);
  connect(m_list, &QListWidget::itemChanged, this, [this](QListWidgetItem* item) {
    FigureRun& run = m_runs[std::size_t(m_list->row(item))];
    run.name = run.own = item->text().simplified().toStdString();
    Q_EMIT renamed(run);
    nameRuns(m_runs, m_known);
    const QSignalBlocker quiet(m_list);
    for (int row = 0; row < m_list->count(); ++row)
      m_list->item(row)->setText(QString::fromStdString(m_runs[std::size_t(row)].name));
    refresh();
  });
}

void ExportDialog::listRuns() {
  std::size_t longest = 1;
  for (const FigureRun& run : m_runs) longest = std::max(longest, run.steps.size());
  nameRuns(m_runs, m_known);
  alignBranches(m_runs, m_known);
  const QSignalBlocker quiet(m_list);
  m_list->clear();
  for (const FigureRun& run : m_runs) {
    auto* item = new QListWidgetItem(QString::fromStdString(run.name), m_list);
    item->setFlags(item->flags() | Qt::ItemIsEditable);
  }
  for (QSpinBox* box : {m_step, m_mapStep}) box->setRange(0, int(longest) - 1);
  m_remove->setEnabled(m_runs.size() > 1);
  offerPictures();
}

/// Offers the figure of images if any run has images. If the runs' images differ, the
/// preview shows why no figure can be made.
void ExportDialog::offerPictures() {
  constexpr int kImage = int(FigureKind::Image);
  const int at = m_kinds->findData(kImage);
  const bool has = std::ranges::any_of(m_runs, hasPictures);
  if (has && at < 0) m_kinds->addItem(title(FigureKind::Image), kImage);
  if (!has && at >= 0) m_kinds->removeItem(at);
}

void ExportDialog::addRun(const QString& path) {
  endReading();
  m_read = std::make_shared<std::vector<FigureRun>>();
  m_add->setText(tr("Stop rea&ding"));
  showMessage(tr("Reading %1…").arg(path));
  const auto read = [file = path.toStdString(), runs = m_read](Control& control) {
    *runs = readFigureRuns({file}, FigureKind::Overview, control);
  };
  m_bridge.follow(m_worker.start(std::make_unique<FunctionJob>("Read a run", read)));
}

void ExportDialog::addRead() {
  const auto read = m_read;
  endReading();
  for (FigureRun& run : *read) {
    run.style = freeStyle(m_runs);
    m_known.push_back(run);
    m_runs.push_back(std::move(run));
  }
  listRuns();
  refresh();
  Q_EMIT added();
}

void ExportDialog::endReading() {
  m_bridge.followNone();
  m_worker.stop();
  m_read.reset();
  m_add->setText(tr("A&dd run…"));
}

void ExportDialog::chooseRun() {
  if (m_read) {
    endReading();
    return showMessage(preview()->remark());
  }
  const QString path =
      QFileDialog::getOpenFileName(this, tr("Add a run"), {}, tr("Runs (*.eqrun)"));
  if (!path.isEmpty()) addRun(path);
}

void ExportDialog::removeRun() {
  if (m_list->selectedItems().isEmpty()) return showMessage(tr("Select a run first."));
  std::vector<FigureRun> rest;
  for (int row = 0; row < m_list->count(); ++row)
    if (!m_list->item(row)->isSelected()) rest.push_back(m_runs[std::size_t(row)]);
  if (rest.empty()) return showMessage(tr("A figure needs a run; select fewer."));
  m_runs = std::move(rest);
  listRuns();
  refresh();
}

void ExportDialog::moveRun(int from, int to) {
  const auto run = m_runs.begin();
  if (from < to)
    std::rotate(run + from, run + from + 1, run + to + 1);
  else
    std::rotate(run + to, run + from, run + from + 1);
  listRuns();
  m_list->setCurrentRow(to);
  refresh();
}

FigureKind ExportDialog::kind() const {
  return FigureKind(m_kinds->currentData().toInt());
}

FigureChoice ExportDialog::choice() const {
  FigureChoice choice;
  const bool map = kind() == FigureKind::ScaleHeatmap;
  choice.logarithmicMap = m_logarithmic->isChecked();
  if (m_oneStep->isChecked() || map) choice.step = StepIndex(m_step->value());
  if (kind() == FigureKind::Overview) choice.mapStep = StepIndex(m_mapStep->value());
  if (m_measures->currentIndex() == 1) choice.measure = PatchMeasure::Relative;
  if (m_limit->value() > 0.0) choice.mapLimit = m_limit->value();
  choice.grouping = RunGrouping(m_grouping->currentData().toInt());
  choice.spaces = m_spaces->isChecked() ? TokenSpaces::Visible : TokenSpaces::Omitted;
  return choice;
}

Figure ExportDialog::figure() const {
  FigureChoice chosen = choice();
  if (kind() == FigureKind::Overview)
    for (int part = 0; part < kOverviewParts; ++part)
      if (m_parts[std::size_t(part)]->isChecked())
        chosen.parts.push_back(OverviewPart(part));
  if (kind() == FigureKind::Overview && chosen.parts.empty())
    throw badInput("No panel is chosen; tick at least one.");
  return makeFigure(kind(), m_runs, chosen);
}

QString ExportDialog::fileName() const {
  return QString::fromStdString(std::string(equipatch::name(kind())));
}

void ExportDialog::enableChoices() {
  const auto has = [kind = kind()](FigureOption option) {
    return hasOption(kind, option);
  };
  const bool map = kind() == FigureKind::ScaleHeatmap;
  m_oneStep->setVisible(!map);
  m_onlyOne->setVisible(map);
  m_oneStep->setEnabled(has(FigureOption::Step));
  m_step->setEnabled(map || (m_oneStep->isEnabled() && m_oneStep->isChecked()));
  m_measures->setEnabled(has(FigureOption::Measure));
  m_logarithmic->setEnabled(has(FigureOption::MapColours));
  m_limit->setEnabled(has(FigureOption::MapLimit));
  m_mapStep->setEnabled(kind() == FigureKind::Overview);
  m_grouping->setEnabled(has(FigureOption::Grouping));
  m_spaces->setEnabled(has(FigureOption::Spaces));
  for (QCheckBox* box : m_parts) box->setVisible(has(FigureOption::Parts));
  styleForm()->setHasLegend(has(FigureOption::Legend));
}

void ExportDialog::choicesChanged() {
  enableChoices();
  refresh();
}

}  // namespace equipatch

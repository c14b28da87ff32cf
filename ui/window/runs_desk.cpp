#include "ui/window/runs_desk.h"

#include "core/figure/run_names.h"

namespace equipatch {

RunsDesk::RunsDesk(const Sources& sources, QObject* parent)
    : QObject(parent),
      m_sources(sources),
      m_list(sources.model, sources.theme,
             [this] { return m_sources.controller.file(); }),
      m_queue(sources.controller,
              [this](const RunSettings& run) {
                return m_sources.files.begin(
                    QString::fromStdString(run.model.folder.filename().string()));
              }),
      m_panel(new RunsPanel(m_list, sources.theme)) {
  connectAll();
  showRuns();
}

void RunsDesk::connectAll() {
  const Actions& actions = m_sources.actions;
  connect(&m_list, &RunList::changed, this, &RunsDesk::showRuns);
  connect(&m_list, &RunList::changed, this, &RunsDesk::nameDisplay);
  connect(&m_sources.theme, &Theme::changed, this, &RunsDesk::nameDisplay);
  connect(m_panel, &RunsPanel::displayWanted, this, &RunsDesk::display);
  connect(m_panel, &RunsPanel::gridWanted, actions.runGrid, &QAction::trigger);
  connect(m_panel, &RunsPanel::failed, this, &RunsDesk::failed);
  connect(actions.compareSteps, &QAction::triggered, m_panel, &RunsPanel::compareSteps);
  connect(actions.closeRun, &QAction::triggered, this,
          [this] { m_list.close(m_list.current()); });
  connect(actions.reopenRun, &QAction::triggered, &m_list, &RunList::reopen);
  connect(actions.stop, &QAction::triggered, &m_queue, &RunQueue::clear);
}

/// The runs that are ticked, beside the one on display.
void RunsDesk::showRuns() {
  std::vector<OverlaidRun> others;
  std::optional<SeriesStyle> own;
  for (const int row : m_list.shownRows()) {
    const ListedRun& run = m_list.at(row);
    if (row == m_list.current())
      own = run.style();
    else
      others.push_back({run.style(), run.steps});
  }
  m_sources.chart.setOthers(std::move(others), own);
  m_sources.actions.compareSteps->setEnabled(m_list.count() >= 2);
  m_sources.actions.closeRun->setEnabled(m_list.current() >= 0);
  m_sources.actions.reopenRun->setEnabled(m_list.canReopen());
}

void RunsDesk::nameDisplay() {
  const RunHeader* header = m_sources.model.header();
  if (!header) return;
  const QString model = QString::fromStdString(header->modelName);
  const bool listed = m_list.current() >= 0;
  const QString name = listed ? m_list.at(m_list.current()).name
                              : QString::fromStdString(precisionName(*header));
  Q_EMIT displayNamed(
      name.contains(model) ? name : model + QStringLiteral(" · ") + name,
      listed ? swatchOf(m_list.at(m_list.current()).style(), m_sources.theme.colours())
             : QIcon());
}

void RunsDesk::display(int row) {
  if (row == m_list.current()) return;
  const ListedRun& run = m_list.at(row);
  if (m_sources.controller.phase() != RunController::Phase::Idle)
    return Q_EMIT failed(tr("A run is going on; stop it before another one is shown."));
  if (run.file.empty())
    return Q_EMIT failed(tr("The run %1 was not recorded, so only its curves are left; "
                            "run it again to see its steps.")
                             .arg(run.name));
  m_sources.files.open(QString::fromStdString(run.file.string()));
}

std::vector<FigureRun> RunsDesk::figureRuns() const {
  const auto drawn = [](const ListedRun& run) {
    return FigureRun{run.ownName.toStdString(), run.header, run.steps, run.colour};
  };
  const int current = m_list.current();
  const RunModel& model = m_sources.model;
  std::vector<FigureRun> runs;
  runs.push_back(current >= 0 ? drawn(m_list.at(current))
                              : FigureRun{{}, model.sharedHeader(), model.records()});
  for (const int row : m_list.shownRows())
    if (row != current) runs.push_back(drawn(m_list.at(row)));
  return runs;
}

}  // namespace equipatch

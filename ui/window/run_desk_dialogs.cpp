// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/figure/figure_caption.h"
#include "core/figure/figure_json.h"
#include "core/figure/run_names.h"
#include "core/page/page_job.h"
#include "ui/export/data_dialog.h"
#include "ui/export/export_dialog.h"
#include "ui/export/page_dialog.h"
#include "ui/window/run_desk.h"

namespace equipatch {
namespace {

/// A run, a group of runs, or a matrix.
bool isNumbered(const FigureCurve& curve) {
  return curve.look == FigureCurve::Look::Numbered;
}

/// The runs that the panel draws. Without numbered curves, it draws quantities of the
/// first run. If not every numbered curve has the name of a run, it draws all runs.
std::vector<FigureRun> drawnRuns(std::vector<FigureRun> runs, const FigurePanel& panel) {
  const auto curves = std::ranges::count_if(panel.curves, isNumbered);
  if (curves == 0) runs.resize(1);
  std::vector<FigureRun> drawn;
  for (const FigureRun& run : runs)
    if (std::ranges::any_of(panel.curves, [&](const FigureCurve& curve) {
          return isNumbered(curve) && curve.name == run.name;
        }))
      drawn.push_back(run);
  return curves > 0 && std::ssize(drawn) == curves ? drawn : runs;
}

}  // namespace

/// Caption and provenance name only the runs that the chart draws.
Figure RunDesk::figureOf(const ChartView& chart) const {
  Figure figure = chart.figure();
  const bool ofSteps = &chart == &m_sources.chart;
  std::vector<FigureRun> runs = &chart == &m_panel->accuracy() ? figureRuns()
                                : ofSteps ? withDisplayed(m_list.shownRows())
                                          : withDisplayed({});
  for (FigureRun& run : runs) {
    const int row = m_list.rowOf(run);
    run.name = (row < 0 ? displayName() : m_list.at(row).name).toStdString();
  }
  FigurePanel& panel = figure.panels.front();
  runs = ofSteps ? drawnRuns(std::move(runs), panel) : runsIn(figure, std::move(runs));
  for (FigureCurve& curve : panel.curves)
    if (curve.besideRuns) curve.name += ", " + displayName().toStdString();
  figure.provenance = provenanceJson(headersOf(runs));
  figure.caption = captionOf(figure, runs);
  return figure;
}

void RunDesk::copyChart(const ChartView& chart) {
  try {
    copyFigure(figureOf(chart), savedStyle());
  } catch (const Error& error) {
    m_sources.messages.showMessage(QString::fromUtf8(error.what()));
  }
}

void RunDesk::exportChart(const ChartView& chart) {
  auto* dialog = new ChartDialog(figureOf(chart), &m_sources.window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->show();
}

bool RunDesk::canExportData() const {
  return !m_sources.model.empty() && m_files.canSave();
}

void RunDesk::exportData() {
  const RunModel& model = m_sources.model;
  std::vector<NamedRunFile> ticked;
  for (const int row : m_list.shownRows())
    if (const ListedRun& run = m_list.at(row); !run.file.empty())
      ticked.push_back({run.name.toStdString(), run.file});
  auto* dialog =
      new DataDialog({displayName(), m_sources.controller.file(), model.sharedHeader(),
                      model.stepCount(), std::move(ticked)},
                     m_sources.exporter, &m_sources.window);
  dialog->step()->setValue(m_sources.selection.step());
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(
      dialog, &DataDialog::modelRequested, this,
      [this, header = model.sharedHeader()] { m_sources.models.loadModelOf(*header); });
  dialog->show();
}

void RunDesk::exportPage() {
  const std::vector<int> rows = m_list.shownRows();
  QStringList names{displayName()};
  for (const int row : rows)
    if (row != m_list.current()) names << m_list.at(row).name;
  auto* dialog = new PageDialog(withDisplayed(rows), names, &m_sources.window);
  connect(dialog, &PageDialog::fileChosen, this, [this, dialog](const QString& path) {
    m_leftOut = dialog->leftOut();  // the next dialog unticks these runs
    writePage(path, dialog->chosen());
  });
  dialog->leaveOut(m_leftOut);
  dialog->begin();
}

/// Writes the page on another thread. A message reports the result.
void RunDesk::writePage(const QString& path, std::vector<FigureRun> runs) {
  if (const QString obstacle = m_pages.obstacle(); !obstacle.isEmpty())
    return m_sources.messages.showMessage(obstacle);
  std::vector<PageSource> pages;
  for (FigureRun& run : runs) {
    const int row = m_list.rowOf(run);
    // The run may have new steps since the dialogs opened.
    if (row >= 0 && m_list.at(row).steps.size() > run.steps.size()) {
      run.header = m_list.at(row).header;
      run.steps = m_list.at(row).steps;
    }
    const bool isRecording = m_sources.controller.isComputing() &&
                             run.header == m_sources.model.sharedHeader();
    const auto listed = row < 0 ? m_sources.controller.ending() : m_list.at(row).ending;
    if (isRecording) run.file.clear();  // a file being written is not read
    pages.push_back({std::move(run), listed.value_or(RunEnding::Stopped), isRecording});
  }
  const int count = int(pages.size());
  m_pages.start(makePageJob(std::move(pages), path.toStdString()), path,
                [this, path, count, leftOut = m_leftOut] {
                  // m_leftOut differs if the user has chosen another page meanwhile.
                  if (m_leftOut == leftOut) m_leftOut.clear();
                  const QString file = QDir::toNativeSeparators(path);
                  m_sources.messages.showSaved(
                      count == 1 ? tr("Saved %1").arg(file)
                                 : tr("Saved %1, with %n runs", nullptr, count).arg(file),
                      path);
                });
}

void RunDesk::exportFigure() {
  auto* dialog = new ExportDialog(figureRuns(), listedRuns(), &m_sources.window);
  for (QSpinBox* box : {dialog->step(), dialog->mapStep()})
    box->setValue(m_sources.selection.step());
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &ExportDialog::renamed, this, [this](const FigureRun& run) {
    const QString name = QString::fromStdString(run.name);
    if (const int row = m_list.rowOf(run); row >= 0)
      m_list.setData(m_list.index(row, RunList::Name), name, Qt::EditRole);
    else  // the run was closed meanwhile; its recording may go on
      m_labeller.rename(run.file, run.name,
                        run.file == m_sources.controller.recordedFile());
  });
  dialog->show();
}

void RunDesk::showEarlierRuns() {
  if (!m_earlier) {
    const auto recording = [&controller = m_sources.controller] {
      return controller.recordedFile();
    };
    m_earlier = new EarlierRunsDialog(m_files.folder().toStdString(), m_sources.theme,
                                      recording, &m_sources.window);
    connect(m_earlier, &EarlierRunsDialog::removed, this, &RunDesk::filesRemoved);
    connect(m_earlier, &EarlierRunsDialog::openRequested, this,
            [this](const QString& file, const QString& name) {
              m_list.setNameOf(file.toStdString(), name);
              open({file});
            });
    connect(m_earlier, &EarlierRunsDialog::continueRequested, this,
            [this](const QString& file, const QString& name) {
              m_list.setNameOf(file.toStdString(), name);
              continueFile(file);
            });
    connect(m_earlier, &EarlierRunsDialog::labelled, this,
            [this](const QString& file, const QString& name) {
              m_list.setNameOf(file.toStdString(), name);
            });
  }
  m_earlier->open();
}

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <utility>

#include "core/base/error.h"
#include "core/figure/figure_caption.h"
#include "core/figure/figure_json.h"
#include "core/figure/run_names.h"
#include "core/page/run_page.h"
#include "ui/export/data_dialog.h"
#include "ui/export/export_dialog.h"
#include "ui/export/page_dialog.h"
#include "ui/window/run_desk.h"

namespace equipatch {
Figure RunDesk::figureOf(const ChartView& chart) const {
  Figure figure = chart.figure();
  const std::vector<FigureRun> runs = withDisplayed(m_list.shownRows());
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
  std::vector<FigureRun> runs = withDisplayed(m_list.shownRows());
  if (runs.front().name.empty()) runs.front().name = displayName().toStdString();
  auto* dialog = new PageDialog(std::move(runs), &m_sources.window);
  connect(dialog, &PageDialog::fileChosen, this,
          [this, dialog](const QString& path) { writePage(path, dialog->chosen()); });
  dialog->begin();
}

void RunDesk::writePage(const QString& path, std::vector<FigureRun> runs) {
  const bool isRecording = m_sources.controller.phase() != RunController::Phase::Idle;
  try {
    std::vector<PageRun> pages;
    for (FigureRun& run : runs) {
      const bool isWritten = isRecording && run.file == m_sources.controller.file();
      if (isWritten) run.file.clear();
      pages.push_back(pageRunOf(std::move(run)));
      pages.back().isRecording = isWritten;
    }
    equipatch::exportPage(pages, path.toStdString());
    const QString file = QDir::toNativeSeparators(path);
    m_sources.messages.showNotice(
        pages.size() == 1
            ? tr("Saved %1").arg(file)
            : tr("Saved %1, with %n runs", nullptr, int(pages.size())).arg(file));
  } catch (const Error& error) {
    m_sources.messages.showMessage(QString::fromUtf8(error.what()));
  }
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
    else
      m_labeller.rename(run.file, run.name, false);
  });
  dialog->show();
}

void RunDesk::showEarlierRuns() {
  if (!m_earlier) {
    const auto recording = [&controller = m_sources.controller] {
      const bool isIdle = controller.phase() == RunController::Phase::Idle;
      return isIdle ? std::filesystem::path() : controller.file();
    };
    m_earlier = new EarlierRunsDialog(m_files.folder().toStdString(), m_sources.theme,
                                      recording, &m_sources.window);
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

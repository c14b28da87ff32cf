// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lesson/window_memory.h"

#include <algorithm>
#include <utility>

#include "ui/runs/last_runs.h"

namespace equipatch {

RunRequest withLessonTokens(RunRequest run) {
  run.bare = true;
  run.ablated = run.freeRun = run.ignoreEndOfSequence = false;
  run.sampling = {};
  return run;
}

void WindowMemory::keep() {
  if (m_kept) return;
  State now{.layout = m_parts.layout(),
            .prompt = m_parts.prompt.state(),
            .models = m_parts.models.state(),
            .run = m_parts.models.runRequest(),
            .loaded = loadedNow(),
            .displayed = m_parts.controller.displayed(),
            .view = view(),
            .listed = {},
            .tables = {},
            .lab = {}};
  const RunList& runs = m_parts.runs.list();
  for (int row = 0; row < runs.count(); ++row)
    now.listed.push_back({runs.at(row).file, runs.at(row).header, runs.at(row).shown});
  for (const ChartView* chart : charts()) now.tables.push_back(chart->isTable());
  const auto* lab = m_parts.window.findChild<LabWindow*>();
  now.isLabOpen = lab && lab->isVisible();
  if (lab) now.lab = lab->state();
  m_kept = std::move(now);
  // If the program ends during the lesson, the next start must offer the earlier runs.
  m_parts.runs.panel().lastRuns().setPaused(true);
}

std::optional<SessionRequest> WindowMemory::loadedNow() const {
  const RunController& controller = m_parts.controller;
  return controller.loaded() || isReloading() ? controller.modelRequest() : std::nullopt;
}

bool WindowMemory::isReloading() const {
  const RunController& controller = m_parts.controller;
  return m_reloaded && controller.phase() == RunController::Phase::Loading &&
         controller.modelRequest() == m_reloaded;
}

std::vector<ChartView*> WindowMemory::charts() const {
  const QList<ChartView*> charts = m_parts.charts.findChildren<ChartView*>();
  return {charts.begin(), charts.end()};
}

/// Compares the files, because a reopened run has another header. Compares the headers if
/// the run is not recorded and so has no file.
bool WindowMemory::Listed::is(const ListedRun& run) const {
  return run.file.empty() ? header == run.header : file == run.file;
}

bool WindowMemory::isNew(const ListedRun& run) const {
  return !m_kept || std::ranges::none_of(m_kept->listed, [&run](const Listed& known) {
    return known.is(run);
  });
}

std::vector<int> WindowMemory::newRows() const {
  const RunList& runs = m_parts.runs.list();
  std::vector<int> rows;
  for (int row = 0; row < runs.count(); ++row)
    if (isNew(runs.at(row))) rows.push_back(row);
  return rows;
}

void WindowMemory::closeNewRuns(std::size_t kept) {
  if (!m_kept) return;
  std::vector<int> rows = newRows();
  rows.erase(rows.begin(), rows.begin() + std::ptrdiff_t(std::min(kept, rows.size())));
  m_parts.runs.list().close(rows, RunList::Reopened::Late);
}

void WindowMemory::clear() {
  if (!m_kept) return;
  m_parts.runs.stop();
  m_parts.controller.show({});
  closeNewRuns();
  for (ChartView* chart : charts()) chart->showTable(false);
  m_parts.restoreLayout(m_kept->layout);
}

RunView WindowMemory::view() const {
  return {.run = m_parts.model.sharedHeader(),
          .step = m_parts.selection.step(),
          .layer = m_parts.selection.layer(),
          .strength = strength().setting()};
}

void WindowMemory::restoreView(const RunView& view) {
  if (view.step != Selection::kNone) m_parts.selection.selectStep(view.step);
  m_parts.selection.selectLayer(view.layer);
  strength().restore(view.strength);
}

void WindowMemory::restore() {
  if (!m_kept) return;
  const State& state = *m_kept;
  reopenRuns(state);
  m_parts.controller.show(state.displayed);
  restoreModel(state);
  m_parts.models.restore(state.models);
  restorePrompt(state);
  // show() lists its run, even a run that the user had closed before the lesson.
  m_parts.runs.list().close(newRows());
  tickRuns(state);
  const std::vector<ChartView*> all = charts();
  for (std::size_t i = 0; i < all.size(); ++i) all[i]->showTable(state.tables[i]);
  restoreView(state.view);
  if (auto* lab = m_parts.window.findChild<LabWindow*>()) {
    lab->restore(state.lab);
    lab->setVisible(state.isLabOpen);
  }
  m_kept.reset();
  m_parts.runs.panel().lastRuns().setPaused(false);
}

/// Without a loaded model, takes the prompt's tokens from the run on display.
void WindowMemory::restorePrompt(const State& state) {
  PromptEditor& prompt = m_parts.prompt;
  prompt.restore(state.prompt);
  const bool lacksTokens = state.prompt.tokenCount > 0 && prompt.tokenCount() == 0;
  if (!lacksTokens || state.loaded || !state.displayed.header) return;
  prompt.showRun(state.displayed.header->request);
  const bool isPromptOfRun =
      prompt.form() == state.prompt.form && prompt.parts() == state.prompt.parts;
  if (!isPromptOfRun) return prompt.restore(state.prompt);
  prompt.setAbsorbed(state.prompt.absorbed);
}

/// Puts kept runs that were closed meanwhile back into their rows.
void WindowMemory::reopenRuns(const State& state) {
  RunList& runs = m_parts.runs.list();
  for (int row = 0; row < int(state.listed.size()); ++row) {
    const Listed& known = state.listed[std::size_t(row)];
    if (row < runs.count() && known.is(runs.at(row))) continue;
    runs.reopenAt(row, [&known](const ListedRun& run) { return known.is(run); });
  }
}

void WindowMemory::tickRuns(const State& state) {
  RunList& runs = m_parts.runs.list();
  for (int row = 0; row < runs.count(); ++row)
    for (const Listed& known : state.listed)
      if (known.is(runs.at(row))) runs.setShown(row, known.ticked);
}

/// Skips the memory check, because the model was in memory before the lesson.
void WindowMemory::restoreModel(const State& state) {
  m_reloaded.reset();
  if (loadedNow() == state.loaded) return;
  if (!state.loaded) return m_parts.controller.unload();
  m_reloaded = state.loaded;
  m_parts.controller.load(*state.loaded, MemoryCheck::Skip);
}

}  // namespace equipatch

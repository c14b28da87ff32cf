// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/sweep_job.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "core/base/progress.h"
#include "core/record/file/run_writer.h"
#include "core/record/quantile.h"
#include "core/record/sweep/cell_claim.h"
#include "core/record/sweep/sweep_plan.h"
#include "core/run/backend.h"
#include "core/run/prepared_prompt.h"
#include "core/work/control.h"

namespace equipatch {
namespace {

/// Adds up a run's totals for the line that is printed for its cell.
class CellTotals final : public RunSink {
 public:
  void runStarted(std::shared_ptr<const RunHeader>) override {}
  void stepTaken(std::shared_ptr<const StepRecord> record) override {
    ++result.steps;
    result.matches += record->match ? 1 : 0;
    result.linfMax = maximum(result.linfMax, record->patchedDistance.linf);
  }
  CellResult result;
};

/// The request of a cell's run.
RunRequest settingsOf(const SweepPlan& plan, const SweepCell& cell) {
  RunRequest settings{.promptText = {}, .prompt = {}};
  settings.steps = plan.steps;
  settings.patch = cell.point.patch;
  settings.measureNoise = plan.measureNoise;
  settings.ignoreEndOfSequence = plan.ignoreEndOfSequence;
  return settings;
}

/// True if the error concerns only this cell, not the machine or the whole sweep.
bool isOfOneCell(const Error& error) {
  return error.kind() != ErrorKind::Cancelled && error.kind() != ErrorKind::Resource;
}

/// Shows other programs that this one lives, and stops when another took the cell over.
class ClaimedProgress final : public Progress {
 public:
  /// @param whole and `claim` outlive this.
  ClaimedProgress(Progress& whole, CellClaim& claim) : m_whole(whole), m_claim(claim) {}

  void report(double fraction, std::string_view label) override {
    m_whole.report(fraction, label);
    m_isOurs = m_claim.beat();
  }
  bool stopRequested() const override { return !m_isOurs || m_whole.stopRequested(); }

 private:
  Progress& m_whole;
  CellClaim& m_claim;
  bool m_isOurs = true;
};

class SweepJob final : public Job {
 public:
  SweepJob(SweepWork work, std::shared_ptr<SweepSink> sink)
      : m_work(std::move(work)), m_sink(std::move(sink)) {}

  std::string name() const override { return "Sweep " + m_work.plan.modelName; }

  void run(Control& control) override {
    const std::vector<SweepCell> cells = unfinishedCells(control);
    m_sink->cellsFound(m_work.cells.size() - cells.size(), m_work.cells.size());
    const double share =
        1.0 / static_cast<double>(std::max<std::size_t>(1, cells.size()));
    std::size_t elsewhere = 0;
    for (std::size_t index = 0; index < cells.size(); ++index) {
      const double begin = share * static_cast<double>(index);
      PartialProgress part(control, begin, begin + share);
      control.throwIfStopped();
      if (!claimAndRun(cells[index], control, part)) ++elsewhere;
    }
    if (elsewhere > 0) m_sink->cellsElsewhere(elsewhere);
  }

 private:
  std::vector<SweepCell> unfinishedCells(Control& control) const {
    std::vector<SweepCell> cells;
    for (const SweepCell& cell : m_work.cells) {
      control.throwIfStopped();
      control.report(0.0, "Looking for finished cells");
      if (!finishedRun(m_work.folder, m_work.plan, cell)) cells.push_back(cell);
    }
    return cells;
  }

  void openSession(DType dtype, Progress& progress) {
    if (m_session && m_session->dtype() == dtype) return;
    m_session.reset();  // first, because two models may not fit into memory
    PartialProgress still(progress, 0.0, 0.0);  // loading does not advance the sweep
    m_session = Session::open({.folder = m_work.model,
                               .dtype = dtype,
                               .device = m_work.plan.device,
                               .place = m_work.place},
                              still);
  }

  /// @returns false when another program computes the cell.
  bool claimAndRun(const SweepCell& cell, Control& control, Progress& part) {
    auto claim = CellClaim::take(m_work.folder, cell);
    if (!claim) return false;
    // Another program may have finished it since this one looked.
    if (finishedRun(m_work.folder, m_work.plan, cell)) return true;
    bool isLoaded = false;
    try {
      ClaimedProgress claimed(part, *claim);
      openSession(cell.point.dtype, claimed);
      isLoaded = true;
      const CellResult result = runCell(cell, *claim, control, claimed);
      if (!claim->publish()) return false;
      m_sink->cellFinished(cell, result);
    } catch (const Error& error) {
      if (!claim->isOurs()) return false;
      if (error.kind() != ErrorKind::Cancelled) claim->noteFailure(error);
      if (!isLoaded || !isOfOneCell(error)) throw;
      m_sink->cellFailed(cell, error);
    }
    return true;
  }

  CellResult runCell(const SweepCell& cell, const CellClaim& claim, Control& control,
                     Progress& part) {
    const auto totals = std::make_shared<CellTotals>();
    RunRecorder recorder(claim.recording(), ExistingFile::Refuse, totals);
    record(cell, recorder, control, part);
    recorder.finish(RunEnding::Complete);
    return totals->result;
  }

  /// Prepares each prompt once for all points of the grid.
  const PreparedPrompt& prepared(const SweepPrompt& prompt, const Control& control) {
    const auto found = m_prompts.find(prompt.name);
    if (found != m_prompts.end()) return found->second;
    PromptSource source{.text = prompt.text,
                        .form = prompt.chat ? PromptForm::Chat : PromptForm::Text};
    for (const SweepImage& image : prompt.images)
      source.images.push_back(readPicture(image.file));
    return m_prompts
        .emplace(prompt.name, preparePrompt(source, *m_session, control.stopToken()))
        .first->second;
  }

  void record(const SweepCell& cell, RunRecorder& recorder, Control& control,
              Progress& part) {
    const auto comparison = backend().makeComparison(
        m_session,
        requestFor(prepared(cell.prompt, control), settingsOf(m_work.plan, cell)));
    recorder.runStarted(std::make_shared<const RunHeader>(comparison->header()));
    PartialProgress still(part, 0.0, 0.0);
    comparison->prefill(still);
    const auto steps = static_cast<double>(m_work.plan.steps);
    for (double taken = 0.0; !comparison->done() && control.pass();) {
      PartialProgress step(part, taken / steps, (taken + 1.0) / steps);
      const auto result = comparison->step(step);
      part.report(++taken / steps, cell.fileName());
      part.throwIfStopped();
      recorder.stepTaken(result);
    }
    control.throwIfStopped();
  }

  SweepWork m_work;
  std::shared_ptr<SweepSink> m_sink;
  std::shared_ptr<const Session> m_session;
  std::map<std::string, PreparedPrompt> m_prompts;  // by name
};

}  // namespace

std::unique_ptr<Job> makeSweepJob(SweepWork work, std::shared_ptr<SweepSink> sink) {
  return std::make_unique<SweepJob>(std::move(work), std::move(sink));
}

}  // namespace equipatch

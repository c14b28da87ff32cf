// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/sweep_job.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>

#include "core/base/progress.h"
#include "core/record/file/run_writer.h"
#include "core/record/quantile.h"
#include "core/record/sweep/cell_claim.h"
#include "core/record/sweep/sweep_folder.h"
#include "core/record/sweep/sweep_plan.h"
#include "core/run/backend.h"
#include "core/run/prepared_prompt.h"
#include "core/run/sweep_images.h"
#include "core/work/control.h"
#include "core/work/side_by_side.h"

namespace equipatch {
namespace {

class CellResultSink final : public RunSink {
 public:
  void runStarted(std::shared_ptr<const RunHeader>) override {}
  void stepTaken(std::shared_ptr<const StepRecord> record) override {
    ++result.steps;
    result.matches += record->match ? 1 : 0;
    result.linfMax = maximum(result.linfMax, record->patchedDistance.linf);
  }
  CellResult result;
};

/// The request of a cell's run, still without the prompt.
RunRequest settingsOf(const SweepPlan& plan, const SweepCell& cell) {
  RunRequest settings{.promptText = {}, .prompt = {}};
  settings.steps = plan.steps;
  settings.patch = cell.point.patch;
  settings.strength.alpha = cell.point.strength;
  settings.sampling = cell.prompt.sampling;
  settings.measureNoise = plan.measureNoise;
  settings.ablated = plan.ablated;
  settings.ignoreEndOfSequence = plan.ignoreEndOfSequence;
  settings.keepPictures = plan.keepPictures;
  return settings;
}

/// True if the error concerns only this cell, not the machine or the whole sweep.
bool isOfOneCell(const Error& error) {
  return error.kind() != ErrorKind::Cancelled && error.kind() != ErrorKind::Resource;
}

/// Renews the claim with every report. Requests a stop when another program has taken the
/// cell over.
class ClaimedProgress final : public Progress {
 public:
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

struct CellOutcome {
  enum class Kind {
    Finished,
    FinishedBefore,  ///< by another program, since `unfinishedCells` looked
    Elsewhere,       ///< another program computes it
    Failed
  };
  Kind kind = Kind::Finished;
  CellResult result = {};
  std::optional<Error> error = {};
};

/// Used by one thread at a time.
class CellComputer {
 public:
  CellComputer(const SweepWork& work, std::stop_token stop)
      : m_work(work), m_stop(std::move(stop)) {}

  /// @param load returns the session of the cell's dtype; called only for a claimed cell.
  /// @throws Error that concerns the whole sweep.
  template <typename Load>
  CellOutcome compute(const SweepCell& cell, Progress& progress, const Load& load) {
    using Kind = CellOutcome::Kind;
    auto claim = CellClaim::take(m_work.folder, cell);
    if (!claim) return {Kind::Elsewhere};
    if (finishedRun(m_work.folder, m_work.plan, cell)) return {Kind::FinishedBefore};
    bool isLoaded = false;
    try {
      ClaimedProgress claimed(progress, *claim);
      const std::shared_ptr<const Session> session = load(claimed);
      isLoaded = true;
      const CellResult result = run(cell, session, claim->recording(), claimed);
      if (!claim->publish()) return {Kind::Elsewhere};
      return {Kind::Finished, result};
    } catch (const Error& error) {
      if (!claim->isOurs()) return {Kind::Elsewhere};
      if (error.kind() != ErrorKind::Cancelled) claim->noteFailure(error);
      if (!isLoaded || !isOfOneCell(error)) throw;
      return {Kind::Failed, {}, error};
    }
  }

 private:
  CellResult run(const SweepCell& cell, const std::shared_ptr<const Session>& session,
                 const std::filesystem::path& recording, Progress& progress) {
    const auto sink = std::make_shared<CellResultSink>();
    RunRecorder recorder(recording, ExistingFile::Refuse, sink);
    record(cell, session, recorder, progress);
    recorder.finish(RunEnding::Complete);
    return sink->result;
  }

  /// Keeps prepared prompts for later cells, except prompts with images, because all
  /// image files together may not fit into memory.
  std::shared_ptr<const PreparedPrompt> prepared(const SweepPrompt& prompt,
                                                 const Session& session) {
    std::shared_ptr<const PreparedPrompt>& kept = m_prompts[prompt.name];
    if (kept) return kept;
    PromptSource source{.text = prompt.text,
                        .form = prompt.chat ? PromptForm::Chat : PromptForm::Text,
                        .absorb = prompt.absorb};
    for (const SweepImage& image : prompt.images)
      source.images.push_back(readUnchanged(image));
    auto made =
        std::make_shared<const PreparedPrompt>(preparePrompt(source, session, m_stop));
    if (prompt.images.empty()) kept = made;
    return made;
  }

  void record(const SweepCell& cell, const std::shared_ptr<const Session>& session,
              RunRecorder& recorder, Progress& progress) {
    const auto comparison = backend().makeComparison(
        session,
        requestFor(*prepared(cell.prompt, *session), settingsOf(m_work.plan, cell)));
    recorder.runStarted(std::make_shared<const RunHeader>(comparison->header()));
    PartialProgress still(progress, 0.0, 0.0);
    comparison->prefill(still);
    const auto steps = static_cast<double>(m_work.plan.steps);
    for (double taken = 0.0; !comparison->done();) {
      progress.throwIfStopped();
      PartialProgress step(progress, taken / steps, (taken + 1.0) / steps);
      const auto result = comparison->step(step);
      progress.report(++taken / steps, cell.fileName());
      progress.throwIfStopped();
      recorder.stepTaken(result);
    }
  }

  const SweepWork& m_work;
  std::stop_token m_stop;
  std::map<std::string, std::shared_ptr<const PreparedPrompt>> m_prompts;  // by name
};

/// With weights of up to this size, several threads hardly make a step faster.
constexpr std::int64_t kSmallModel = std::int64_t{64} << 20;  // bytes

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
    CellComputer computer(m_work, control.stopToken());
    for (std::size_t next = 0; next < cells.size();) {
      const auto partOf = [&](std::size_t count) {
        const double begin = share * static_cast<double>(next);
        return PartialProgress(control, begin,
                               begin + share * static_cast<double>(count));
      };
      control.throwIfStopped();
      const SweepCell& cell = cells[next];
      PartialProgress part = partOf(1);
      tell(cell, computeAlone(computer, cell, part));
      ++next;
      // Empty if no model is loaded, because another program computes this cell.
      const std::span<const SweepCell> others = ofLoadedDType(cells, next);
      const int atOnce = cellsAtOnce();
      if (others.size() < 2 || atOnce < 2) continue;
      PartialProgress rest = partOf(others.size());
      computeSideBySide(others, atOnce, control.stopToken(), rest);
      next += others.size();
    }
    if (m_elsewhere > 0) m_sink->cellsElsewhere(m_elsewhere);
  }

 private:
  std::vector<SweepCell> unfinishedCells(Control& control) const {
    std::vector<SweepCell> cells;
    for (const SweepCell& cell : m_work.cells) {
      control.throwIfStopped();
      control.report(0.0, "Looking for finished cells");
      if (finishedRun(m_work.folder, m_work.plan, cell))
        CellClaim::removeRemains(m_work.folder, cell);
      else
        cells.push_back(cell);
    }
    return cells;
  }

  std::shared_ptr<const Session> sessionFor(DType dtype, Progress& progress) {
    if (m_session && m_session->dtype() == dtype) return m_session;
    m_session.reset();  // first, because two models may not fit into memory
    PartialProgress still(progress, 0.0, 0.0);  // loading does not advance the sweep
    m_session = Session::open({.folder = m_work.model,
                               .dtype = dtype,
                               .device = m_work.plan.device,
                               .place = m_work.place},
                              still);
    return m_session;
  }

  std::span<const SweepCell> ofLoadedDType(std::span<const SweepCell> cells,
                                           std::size_t first) const {
    std::size_t end = first;
    while (m_session && end < cells.size() &&
           cells[end].point.dtype == m_session->dtype())
      ++end;
    return cells.subspan(first, end - first);
  }

  int cellsAtOnce() const {
    if (m_work.cellsAtOnce) return *m_work.cellsAtOnce;
    if (!m_session) return 1;
    const std::int64_t bytes = m_session->parameterCount() *
                               static_cast<std::int64_t>(byteSize(m_session->dtype()));
    return usualCellsAtOnce(m_session->device(), bytes, backend().threads());
  }

  /// If a sweep computes cells side by side, each with one thread, this cell has one
  /// thread as well. Several threads would add in another order: the results would depend
  /// on interruptions, which decide which cells run alone.
  CellOutcome computeAlone(CellComputer& computer, const SweepCell& cell,
                           Progress& progress) {
    std::optional<ThreadsFor> oneThread;
    return computer.compute(cell, progress, [&](Progress& loading) {
      auto session = sessionFor(cell.point.dtype, loading);
      if (cellsAtOnce() > 1) oneThread.emplace(1);
      return session;
    });
  }

  void computeSideBySide(std::span<const SweepCell> cells, int atOnce,
                         const std::stop_token& stop, Progress& progress) {
    const ThreadsFor oneForEach(1);
    std::vector<CellComputer> computers(static_cast<std::size_t>(atOnce),
                                        CellComputer(m_work, stop));
    const auto compute = [&](std::size_t task, int thread, Progress& part) -> Delivery {
      CellComputer& computer = computers[static_cast<std::size_t>(thread)];
      CellOutcome outcome =
          computer.compute(cells[task], part, [&](Progress&) { return m_session; });
      return [this, &cell = cells[task], outcome = std::move(outcome)] {
        tell(cell, outcome);
      };
    };
    runSideBySide({.count = cells.size(), .threads = atOnce, .stop = stop}, compute,
                  progress);
  }

  void tell(const SweepCell& cell, const CellOutcome& outcome) {
    switch (outcome.kind) {
      case CellOutcome::Kind::Finished:
        return m_sink->cellFinished(cell, outcome.result);
      case CellOutcome::Kind::Failed:
        return m_sink->cellFailed(cell, *outcome.error);
      case CellOutcome::Kind::Elsewhere:
        ++m_elsewhere;
        return;
      case CellOutcome::Kind::FinishedBefore:
        return m_sink->cellFinishedElsewhere(cell);
    }
  }

  SweepWork m_work;
  std::shared_ptr<SweepSink> m_sink;
  std::shared_ptr<const Session> m_session;
  std::size_t m_elsewhere = 0;
};

}  // namespace

int usualCellsAtOnce(std::string_view device, std::int64_t weightBytes, int threads) {
  return device == "cpu" && weightBytes <= kSmallModel ? threads : 1;
}

std::unique_ptr<Job> makeSweepJob(SweepWork work, std::shared_ptr<SweepSink> sink) {
  return std::make_unique<SweepJob>(std::move(work), std::move(sink));
}

}  // namespace equipatch

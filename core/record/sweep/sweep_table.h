// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/record/export/export_table.h"
#include "core/record/file/run_file.h"
#include "core/record/sweep/sweep_grid.h"
#include "core/record/verdict.h"

namespace equipatch {

/// A summary of the finished cells with the same point of the grid and the same absorbed
/// part: those of all prompts, or of one prompt if `prompt` names it.
struct SweepRow {
  SweepPoint point;
  std::string absorb = "all";  ///< as SweepPrompt's
  /// The prompt's name, if several parts of its text are absorbed in turn; " (2)" and so
  /// on is added if an earlier folder has a different prompt with this name. Empty: the
  /// row is of all prompts.
  std::string prompt = {};
  std::int64_t cells = 0;    ///< finished cells
  std::int64_t planned = 0;  ///< finished and missing cells
  std::int64_t steps = 0;    ///< of all finished cells
  std::int64_t matches = 0;  ///< steps whose most likely tokens agree
  // L∞ in logits, TVD from 0 to 1, over all steps that have the value; 0 if no step has.
  double linfMedian = 0.0;
  double linf95 = 0.0;  ///< the 95th percentile
  double linfMax = 0.0;
  double tvdMax = 0.0;
  double bareLinfMedian = 0.0;
  double bareKlMedian = 0.0;  ///< nats
  double bareKlMax = 0.0;
  std::optional<double> ablatedKlMedian, ablatedKlMax;  ///< nats; none if not measured
  /// How often the bare (ablated) pass and the contextual pass have the same most likely
  /// token, in percent of the steps with a bare (ablated) pass; none if no step has one.
  std::optional<double> bareMatchPercent, ablatedMatchPercent;
  /// The largest L∞ noise floor of all runs; none if no run measured it.
  std::optional<double> noiseFloor;
  VerdictKind worst = VerdictKind::Unmeasured;  ///< by severity(), of all steps

  double matchPercent() const;  ///< 0 without a step
};

/// Accumulates runs in rows.
class SweepTable {
 public:
  /// Adds a planned cell.
  void plan(const SweepPoint& point, const std::string& absorb = "all",
            const std::string& prompt = {});
  /// Adds a finished cell's steps, judged by its run's noise floor.
  void add(const SweepPoint& point, const StoredRun& run,
           const std::string& absorb = "all", const std::string& prompt = {});

  /// A row for each point, absorbed part and named prompt, in the order in which `plan`
  /// or `add` first named them.
  std::vector<SweepRow> rows() const;

 private:
  /// How often a pass has the contextual pass's most likely token.
  struct Agreement {
    std::int64_t steps = 0, matches = 0;
    void add(const Choices& pass, bool agrees);
    std::optional<double> percent() const;
  };
  struct Entry {
    SweepRow totals;
    // One value per step that has it.
    std::vector<double> linf, tvd, bareLinf, bareKl, ablatedKl;
    Agreement bare, ablated;
  };
  Entry& entryOf(const SweepPoint& point, const std::string& absorb,
                 const std::string& prompt);

  std::vector<Entry> m_entries;
  std::map<std::string, std::size_t> m_places;  ///< of entries, by entryOf's key
};

/// The columns of summary.csv (docs/sweeps.md); measured values are NULL in a row without
/// steps.
ExportRow exportRow(const SweepRow& row);

/// Merges the finished cells of sweep folders into one table. The folders may hold shards
/// of one sweep, or sweeps with different prompts and grids; a cell that several of them
/// have finished counts once. Equal prompts in one sweep count separately.
/// @throws Error{BadInput} naming the difference if settings or weights differ; Error as
/// readSweepPlan and finishedRun.
SweepTable mergeSweeps(const std::vector<std::filesystem::path>& folders);

/// Checks that the path may be written: it is absent or holds a sweep's table as CSV.
/// @throws Error{BadInput} naming the path otherwise.
void requireOwnSweepCsv(const std::filesystem::path& path);

/// The table as CSV (docs/sweeps.md). @throws Error as OutputFile
void writeSweepCsv(const SweepTable& table, const std::filesystem::path& path);

}  // namespace equipatch

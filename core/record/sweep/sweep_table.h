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

/// A summary of the finished cells that have one point of the grid and one absorbed part,
/// of all prompts or of the one that `prompt` names.
struct SweepRow {
  SweepPoint point;
  std::string absorb = "all";  ///< as SweepPrompt's
  /// The prompt's name without its seed, if several parts of its text are absorbed in
  /// turn. Another prompt of the same name has " (2)" after it, and so on. Empty: all
  /// prompts.
  std::string prompt = {};
  std::int64_t cells = 0;    ///< finished cells
  std::int64_t planned = 0;  ///< finished and missing cells
  std::int64_t steps = 0;    ///< of all finished cells
  std::int64_t matches = 0;  ///< steps whose most likely tokens agree
  // L∞ in logits, TVD from 0 to 1, over all steps that have the value; 0 without such.
  double linfMedian = 0.0;
  double linf95 = 0.0;  ///< the 95th percentile
  double linfMax = 0.0;
  double tvdMax = 0.0;
  double bareLinfMedian = 0.0;
  double bareKlMedian = 0.0;  ///< nats
  double bareKlMax = 0.0;
  std::optional<double> ablatedKlMedian, ablatedKlMax;  ///< nats; none if not measured
  /// Percentage of the bare (ablated) passes whose most likely token is that of the
  /// contextual pass; none if no step has such a pass.
  std::optional<double> bareMatchPercent, ablatedMatchPercent;
  /// The largest L∞ noise floor of all runs; none if no run measured it.
  std::optional<double> noiseFloor;
  VerdictKind worst = VerdictKind::Unmeasured;  ///< of all steps, by severity()

  double matchPercent() const;  ///< 0 without a step
};

class SweepTable {
 public:
  void plan(const SweepPoint& point, const std::string& absorb = "all",
            const std::string& prompt = {});
  /// Adds a finished cell. Judges its steps by the run's own noise floor.
  void add(const SweepPoint& point, const StoredRun& run,
           const std::string& absorb = "all", const std::string& prompt = {});

  /// A row for each combination of point, absorbed part and prompt, in the order in which
  /// `plan` or `add` first received them.
  std::vector<SweepRow> rows() const;

 private:
  /// Counts the steps at which a pass has the contextual pass's most likely token.
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

/// Merges the finished cells of sweep folders into one table. Prompts and grids may
/// differ between folders. A cell that several folders have finished counts once; equal
/// prompts in one folder count separately.
/// @throws Error{BadInput} naming the difference if settings or weights differ; Error as
/// readSweepPlan and finishedRun.
SweepTable mergeSweeps(const std::vector<std::filesystem::path>& folders);

/// @throws Error{BadInput} naming the path, unless the path is free or holds a sweep's
/// table as CSV.
void requireOwnSweepCsv(const std::filesystem::path& path);

/// The table as CSV (docs/sweeps.md). @throws Error as OutputFile
void writeSweepCsv(const SweepTable& table, const std::filesystem::path& path);

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/record/file/run_labels.h"
#include "core/record/run_record.h"

namespace equipatch {

/// A recorded run as a list of runs shows it.
struct CatalogueRun {
  std::filesystem::path file;
  std::uint64_t bytes = 0;
  /// Why it cannot be read; the members below are then empty, and the header is null.
  /// With a header: why only the first `steps` can be read; the lost ones can be computed
  /// anew.
  std::string problem;

  RunLabels labels;
  /// Without prompt tokens, images and patched parameters, and with at most the first
  /// 1000 bytes of the shown prompt.
  std::shared_ptr<const RunHeader> header = {};
  std::string absorbed = {};  ///< as `absorbedWords`
  std::string branch = {};    ///< "branch at step 16: snow"; empty for other runs
  RunEnding ending = RunEnding::Interrupted;  ///< Interrupted, too, if steps were lost
  std::int64_t steps = 0;
  std::int64_t matches = 0;  ///< steps whose most likely tokens agree
  double linfMedian = 0.0;   ///< of the patched pass; 0 without a step
  /// At most 64 values, the largest L∞ in each of equal parts of the run; NaN where a
  /// step of the part has NaN.
  std::vector<double> linfOutline = {};
};

/// Reads one file without its layers and vectors. A file that cannot be read becomes an
/// entry with a `problem`.
CatalogueRun readCatalogueRun(const std::filesystem::path& file);

/// True for a name by which runFilesIn finds a run file: *.eqrun.
bool isRunFileName(const std::filesystem::path& file);

/// What is called *.eqrun in a folder, not in folders below it, in any order; nothing in
/// a folder that does not exist.
/// @throws Error{BadInput} when the folder cannot be listed
std::vector<std::filesystem::path> runFilesIn(const std::filesystem::path& folder);

/// The run files in a folder, those that began last first, unreadable ones at the end.
/// @throws Error{BadInput} when the folder cannot be listed; Error{Cancelled}.
std::vector<CatalogueRun> readCatalogue(const std::filesystem::path& folder,
                                        Progress& progress);

/// True if each word of `search` occurs in the run's name, settings, model, prompt (as
/// far as the entry has it), notes, tags, start time or file name. Letters of ASCII are
/// compared without case.
/// @param settings as lists show them, such as "bfloat16 stable open", and what else they
/// show of the run
bool matchesSearch(const CatalogueRun& run, const std::string& settings,
                   const std::string& search);

/// The folder in which this user's window records runs; empty when the home folder is
/// unknown.
std::filesystem::path recordedRunsFolder();

}  // namespace equipatch

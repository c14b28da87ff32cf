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

/// What a list of runs shows of a run file.
struct CatalogueRun {
  std::filesystem::path file;
  std::uint64_t bytes = 0;
  /// Empty if the whole file can be read. If `header` is null: why the file cannot be
  /// read; the members below are then empty. Otherwise: why only the first `steps` steps
  /// can be read.
  std::string problem;

  RunLabels labels;
  /// Prompt tokens, images and patched parameters are left out. `promptText` holds at
  /// most the first 1000 bytes of `shownPrompt`.
  std::shared_ptr<const RunHeader> header = {};
  std::string absorbed = {};  ///< result of `absorbedWords`
  std::string branch = {};    ///< "branch at step 16: snow"; empty for other runs
  RunEnding ending = RunEnding::Interrupted;  ///< Interrupted, too, if steps are lost
  std::int64_t steps = 0;
  std::int64_t matches = 0;  ///< steps whose most likely tokens agree
  double linfMedian = 0.0;   ///< of the patched pass; 0 without a step
  /// The largest L∞ in each of at most 64 consecutive parts of the run, whose lengths
  /// differ by at most one step; NaN if the part has a NaN.
  std::vector<double> linfOutline = {};
};

/// Returns an entry with a `problem` if the file cannot be read.
CatalogueRun readCatalogueRun(const std::filesystem::path& file);

/// True for *.eqrun.
bool isRunFileName(const std::filesystem::path& file);

/// All entries directly in the folder that are named *.eqrun, unsorted; empty if the
/// folder does not exist.
/// @throws Error{BadInput} when the folder cannot be listed
std::vector<std::filesystem::path> runFilesIn(const std::filesystem::path& folder);

/// The run files directly in the folder: latest start first, unreadable files last.
/// @throws Error{BadInput} when the folder cannot be listed; Error{Cancelled}.
std::vector<CatalogueRun> readCatalogue(const std::filesystem::path& folder,
                                        Progress& progress);

/// True if each word of `search` occurs in the run's labels, model, prompt (as cut in
/// `run`), start time or file name, or in `settings`. Ignores the case of ASCII letters.
/// @param settings all other words that the list shows for the run, such as "bfloat16
/// stable open"
bool matchesSearch(const CatalogueRun& run, const std::string& settings,
                   const std::string& search);

/// Where this user's window records runs; empty when the home folder is unknown.
std::filesystem::path recordedRunsFolder();

}  // namespace equipatch

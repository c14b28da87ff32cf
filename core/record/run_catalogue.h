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
  /// Empty if the whole file can be read. With a null header: why the file cannot be
  /// read; the members below are then empty. With a header: why only the first `steps`
  /// steps can be read; the lost steps can be computed again.
  std::string problem;

  RunLabels labels;
  /// Prompt tokens, images and patched parameters are left out. `promptText` holds at
  /// most the first 1000 bytes of `shownPrompt`.
  std::shared_ptr<const RunHeader> header = {};
  std::string absorbed = {};  ///< result of `absorbedWords`
  std::string branch = {};    ///< "branch at step 16: snow"; empty for other runs
  RunEnding ending = RunEnding::Interrupted;  ///< Interrupted, too, if steps were lost
  std::int64_t steps = 0;
  std::int64_t matches = 0;  ///< steps whose most likely tokens agree
  double linfMedian = 0.0;   ///< of the patched pass; 0 without a step
  /// The run is divided into at most 64 equal parts. Each value is the largest L∞ in one
  /// part, or NaN if the L∞ of one of its steps is NaN.
  std::vector<double> linfOutline = {};
};

/// Reads one file without its layers and vectors. A file that cannot be read becomes an
/// entry with a `problem`.
CatalogueRun readCatalogueRun(const std::filesystem::path& file);

/// True for *.eqrun, the names that runFilesIn looks for.
bool isRunFileName(const std::filesystem::path& file);

/// The entries of a folder that are named *.eqrun, in any order. Subfolders are not
/// searched. Empty if the folder does not exist.
/// @throws Error{BadInput} when the folder cannot be listed
std::vector<std::filesystem::path> runFilesIn(const std::filesystem::path& folder);

/// The run files in a folder: the run that began last comes first, and files that cannot
/// be read at all come last.
/// @throws Error{BadInput} when the folder cannot be listed; Error{Cancelled}.
std::vector<CatalogueRun> readCatalogue(const std::filesystem::path& folder,
                                        Progress& progress);

/// True if each word of `search` occurs in the run's name, settings, model, prompt (the
/// bytes that `run` holds), notes, tags, start time or file name. Upper and lower case of
/// ASCII letters are equal.
/// @param settings the run's settings in the words of the list that is searched, such as
/// "bfloat16 stable open", and all other words that the list shows of the run
bool matchesSearch(const CatalogueRun& run, const std::string& settings,
                   const std::string& search);

/// The folder in which this user's window records runs; empty when the home folder is
/// unknown.
std::filesystem::path recordedRunsFolder();

}  // namespace equipatch

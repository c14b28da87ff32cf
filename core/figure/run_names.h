// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/figure/prompt_words.h"
#include "core/figure/run_figures.h"
#include "core/record/run_catalogue.h"
#include "core/record/run_record.h"

namespace equipatch {

RunHeaders headersOf(const std::vector<FigureRun>& runs);

/// Sets the names by which runs are shown everywhere. A run keeps the name that the user
/// gave it. Any other run is named by every setting in which some of these runs differ,
/// prompts included ("bfloat16 direct open", "absorbs “The … sea.”"):
/// - The name of a branch says at which steps it took other tokens than its ancestors,
///   and which tokens ("step 16: snow"). Steps are counted from step 0 of the earliest
///   ancestor.
/// - "original" and "α = 1" are omitted if the name has other words.
/// - A single run, and runs that differ in nothing, are named by their precisionName.
///
/// Runs with equal names are numbered, by `FigureRun::number` where it is set.
/// @param known further runs, which are not shown but may be ancestors
void nameRuns(std::vector<FigureRun>& runs, const std::vector<FigureRun>& known = {});

/// The words from which nameRuns makes the name of each run. They may be empty, or equal
/// to another run's words.
std::vector<std::string> differingWords(const std::vector<FigureRun>& runs);

/// Names for groups of runs, as for runs but without prompts and branches.
/// @param headers for each group, a header with its settings
/// @param numbers for each group, the number that its runs already have, or 0 if they
///        have none; may be empty
std::vector<std::string> settingNamesOf(const RunHeaders& headers,
                                        const std::vector<int>& numbers = {});

/// The settings that all runs share, in words, without model and prompt: "bfloat16",
/// "balanced patch", "closed loop", "greedy".
/// @param headers at least one
std::vector<std::string> sharedSettings(const RunHeaders& headers);
/// For each run, the settings that not all runs share, in words: "balanced", "seed 3".
/// @param headers at least one
std::vector<std::vector<std::string>> differingSettings(const RunHeaders& headers);

/// For each run, where it branched off its ancestors, in words: "step 16: snow"; empty
/// for a run that is no branch.
std::vector<std::string> branchNames(const std::vector<FigureRun>& runs);

/// For each run, its number, from 1, among the runs with equal settings and prompts.
std::vector<int> numbersOf(const RunHeaders& headers);

/// An option that does not change the results of any step. It sets what a run computes
/// besides them, or where the run ends. Names contain `words` if the option has not its
/// usual value.
struct RunExtra {
  bool RunRequest::*is;
  bool usual;
  const char* words;
};
inline constexpr RunExtra kRunExtras[] = {
    {&RunRequest::measureNoise, false, "noise floor"},
    {&RunRequest::audit, false, "audit"},
    {&RunRequest::bare, true, "no bare pass"},
    {&RunRequest::ignoreEndOfSequence, false, "ignores the end"}};

/// The model and all settings that determine the results of a run's steps, except prompt
/// and seed. Runs with equal keys may be pooled, unless their weights have other values
/// (TensorFileHash::dataSampleSha256).
std::string settingsKey(const RunHeader& header);

/// A run's dtype, method and loop, and its application and strength if they are not the
/// default ones.
std::string precisionName(const RunHeader& header);

/// The settings of a run in a list of files: its precisionName and, if they are not the
/// usual ones, its options, absorbed part, branch and sampling: "bfloat16 balanced closed
/// absorbs “The … sea.”". Empty if the file cannot be read.
std::string listedSettings(const CatalogueRun& run);

/// The name that the user gave to a run in a list, otherwise its listedSettings.
std::string listedName(const CatalogueRun& run);

}  // namespace equipatch

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

/// Sets FigureRun::name. A run keeps the name that the user gave it. Any other name lists
/// the settings and prompts in which some of these runs differ ("bfloat16 direct open",
/// "absorbs “The … sea.”"):
/// - The name of a branch says at which steps the branch took other tokens than its
///   ancestors, and which tokens ("step 16: snow"). Steps are counted from step 0 of the
///   earliest ancestor.
/// - "original" and "α = 1" are omitted if the name has other words.
/// - If the list of a run is empty, all names begin with the precisionName of this run. A
///   single run has no other words in its name.
///
/// Equal names are numbered, by `FigureRun::number` where it is set and not taken.
/// @param known further runs, which are not shown but may be ancestors
void nameRuns(std::vector<FigureRun>& runs, const std::vector<FigureRun>& known = {});

/// For each run, the list of differences in nameRuns, without the name that the user gave
/// it and without a number. It may be empty, or equal to another run's list.
std::vector<std::string> differingWords(const std::vector<FigureRun>& runs);

/// Names for groups of runs, as in nameRuns but without prompts and branches.
/// @param headers the settings of each group
/// @param numbers as FigureRun::number, for each group; may be empty
std::vector<std::string> settingNamesOf(const RunHeaders& headers,
                                        const std::vector<int>& numbers = {});

/// The settings that all runs share, without the model: "bfloat16", "balanced patch",
/// "closed loop", "greedy".
/// @param headers at least one
std::vector<std::string> sharedSettings(const RunHeaders& headers);
/// For each run, the settings that not all runs share: "balanced", "seed 3".
std::vector<std::vector<std::string>> differingSettings(const RunHeaders& headers);

/// For each run, where it branched off its ancestors: "step 16: snow", or nothing.
std::vector<std::string> branchNames(const std::vector<FigureRun>& runs);

/// For each run, its number, from 1, among the runs with equal settings and prompts.
std::vector<int> numbersOf(const RunHeaders& headers);

/// An option that does not change the results of any step, only what else a run computes
/// or where the run ends.
struct RunExtra {
  bool RunRequest::*is;
  bool usual;
  const char* words;  ///< for the value that is not `usual`
};
inline constexpr RunExtra kRunExtras[] = {
    {&RunRequest::measureNoise, false, "noise floor"},
    {&RunRequest::audit, false, "audit"},
    {&RunRequest::bare, true, "no bare pass"},
    {&RunRequest::ignoreEndOfSequence, false, "ignores the end"}};

/// The model and all settings that determine the results of a run's steps, except prompt
/// and seed. Runs with equal keys may be pooled if their weights are equal too
/// (TensorFileHash::dataSampleSha256).
std::string settingsKey(const RunHeader& header);

/// Dtype, method and loop; application and strength only if they are not the default.
std::string precisionName(const RunHeader& header);

/// A run's precisionName and its unusual options, absorbed part, branch and sampling:
/// "bfloat16 balanced closed absorbs “The … sea.”". Empty if the file cannot be read.
std::string listedSettings(const CatalogueRun& run);

/// The name that the user gave to the run, otherwise its listedSettings.
std::string listedName(const CatalogueRun& run);

}  // namespace equipatch

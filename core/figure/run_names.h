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

/// Names the runs that have no name from the user, wherever runs are shown: by every
/// setting in which any of these runs differ, prompts included ("bfloat16 direct open",
/// "absorbs “The … sea.”"). The name of a branch says at which steps it took other tokens
/// than its ancestors, counted in the steps of the earliest one, and which tokens ("step
/// 16: snow"). "original" and "α = 1" are omitted beside other words. Runs with equal
/// settings share a name and are numbered, with their own numbers if they have some, and
/// so are runs to which the user gave one name; a run alone, and runs that differ in
/// nothing, have their precisionName.
/// @param known further runs, which are not shown but may be ancestors
void nameRuns(std::vector<FigureRun>& runs, const std::vector<FigureRun>& known = {});

/// Of each run, the words of such a name, which may be empty or equal to another run's.
std::vector<std::string> differingWords(const std::vector<FigureRun>& runs);

/// Names for groups of runs, each with the header of its settings: as for runs, without
/// prompts and branches.
/// @param numbers for each group, the number that its runs have already, or 0 if they
///        have none; may be empty
std::vector<std::string> settingNamesOf(const RunHeaders& headers,
                                        const std::vector<int>& numbers = {});

/// The settings that all runs share, in words, without model and prompt: "bfloat16",
/// "balanced patch", "closed loop", "greedy".
/// @param headers at least one
std::vector<std::string> sharedSettings(const RunHeaders& headers);
/// Of each run, the settings that not all runs share, in words: "balanced", "seed 3".
/// @param headers at least one
std::vector<std::vector<std::string>> differingSettings(const RunHeaders& headers);

/// Of each run, where it branched off its ancestors, in words: "step 16: snow"; empty for
/// a run that is no branch.
std::vector<std::string> branchNames(const std::vector<FigureRun>& runs);

/// The number, from 1, of each run among those that have equal settings and prompts.
std::vector<int> numbersOf(const RunHeaders& headers);

/// A choice that no step's results depend on: what a run computes beside its steps, and
/// where it ends. Names have its words where it is not the usual one.
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

/// A run's dtype, method and loop, and its application and strength where not the
/// default.
std::string precisionName(const RunHeader& header);

/// A run's precisionName and, where they are not the usual ones, its options, absorbed
/// part, branch and sampling, for a list of files: "bfloat16 balanced closed absorbs “The
/// … sea.”"; empty when its file cannot be read.
std::string listedSettings(const CatalogueRun& run);

/// The user's name for a run in a list, else its listedSettings.
std::string listedName(const CatalogueRun& run);

}  // namespace equipatch

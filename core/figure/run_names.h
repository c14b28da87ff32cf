// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/record/run_catalogue.h"
#include "core/record/run_record.h"

namespace equipatch {

using RunHeaders = std::vector<std::shared_ptr<const RunHeader>>;

/// The shortest names that distinguish these runs, made of settings in which they differ:
/// "float32", "stable open", "keeps “for”". Runs with equal settings share such a name
/// and are numbered; a single run is named by precisionName.
/// @param numbers of runs that have one elsewhere, others 0; empty: none has
std::vector<std::string> namesOf(const RunHeaders& headers,
                                 const std::vector<int>& numbers = {});

/// The number, from 1, of each run among those that have equal settings and prompts.
std::vector<int> numbersOf(const RunHeaders& headers);

/// Names made of every setting in which any of the runs differ: "bfloat16 direct open".
std::vector<std::string> wholeNamesOf(const RunHeaders& headers);

/// All settings that determine a run's results except its prompt, model included. Runs
/// with equal keys may be pooled.
std::string settingsKey(const RunHeader& header);

/// A run's dtype, method and loop, and its application and strength where not the
/// default.
std::string precisionName(const RunHeader& header);
/// All settings of a run in a list that are not the usual ones, beside its precisionName:
/// "bfloat16 balanced closed keeps tokens 3–5"; empty when its file cannot be read.
std::string listedSettings(const CatalogueRun& run);

/// The user's name for a run in a list, else its listedSettings.
std::string listedName(const CatalogueRun& run);

}  // namespace equipatch

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/record/run_record.h"

namespace equipatch {

using RunHeaders = std::vector<std::shared_ptr<const RunHeader>>;

/// A short name for each run, of those settings in which the runs differ:
/// "bfloat16 direct open". Runs that differ in nothing are numbered; a run alone is named
/// by its dtype, method and loop.
std::vector<std::string> namesOf(const RunHeaders& headers);

/// Everything that decides what a run computes but its prompt, model included: runs of
/// the same key may be pooled.
std::string settingsKey(const RunHeader& header);

/// A run's dtype, method, loop and application, without the usual ones among them.
std::string precisionName(const RunHeader& header);

}  // namespace equipatch

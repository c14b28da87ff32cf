// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

#include "core/record/run_record.h"

namespace equipatch {

/// Finds where a run branched off another run: the branch's prompt consists of the other
/// run's prompt, tokens that the other run generated, and one more token.
/// @returns the step of the other run that corresponds to the branch's step 0: the number
/// of tokens by which the branch's prompt is longer. Empty if the run is not such a
/// branch.
std::optional<std::int64_t> branchPoint(const RunHeader& branch, const RunHeader& other,
                                        const Steps& steps);

}  // namespace equipatch

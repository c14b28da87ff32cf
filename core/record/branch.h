// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

#include "core/record/run_record.h"

namespace equipatch {

/// Whether a run branched off another one: its prompt is the other's prompt, tokens that
/// the other generated, and one more.
/// @returns the step of the other run that stands beside the branch's step 0: the number
///   of tokens that the branch's prompt has more.
std::optional<std::int64_t> branchPoint(const RunHeader& branch, const RunHeader& other,
                                        const Steps& steps);

}  // namespace equipatch

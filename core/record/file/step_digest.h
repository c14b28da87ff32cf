// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/record/step_record.h"

namespace equipatch {

/// A hash of all that a run file holds of a step. A value overwritten in the file changes
/// it, which SQLite may not notice. It is not stored.
std::uint64_t digestOf(const StepRecord& record, bool withFactors);

}  // namespace equipatch

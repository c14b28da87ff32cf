#pragma once

#include <memory>

#include "core/record/step_record.h"

namespace equipatch {

/// The step without its vectors, Δm and the patch's factors, which are nearly all of its
/// memory: what charts of many runs need of each.
std::shared_ptr<const StepRecord> withoutVectors(const StepRecord& step);

}  // namespace equipatch

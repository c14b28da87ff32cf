#pragma once

#include <memory>
#include <vector>

#include "core/record/run_request.h"
#include "core/record/step_record.h"

namespace equipatch {

/// The run that leaves another one with a token of the user's choice: its prompt is the
/// other's, what that went on with in the steps `before`, and `next`. The same part of
/// the context is absorbed; tokens that were generated stay what they were.
RunRequest branchedRequest(const RunRequest& run,
                           const std::vector<std::shared_ptr<const StepRecord>>& before,
                           const Choice& next);

}  // namespace equipatch

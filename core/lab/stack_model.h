#pragma once

#include <memory>
#include <vector>

#include "core/lab/notebook.h"
#include "core/lab/regression.h"
#include "core/lab/settings.h"

namespace equipatch {

namespace toy {
class BlockStack;
}

/// Those of the regression experiments and `blocks`, `warmup`.
std::vector<LabSetting> stackSettings();

/// With the weights training begins from.
std::unique_ptr<toy::BlockStack> makeStack(const LabSettings& settings,
                                           std::uint64_t seed);

/// Trains it to the end, which is `share` of the experiment.
void trainStack(const toy::BlockStack& stack, const LabSettings& settings, double share,
                Notebook& book, const TrainingLook& look = {});

}  // namespace equipatch

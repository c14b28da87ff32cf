#pragma once

#include "core/lab/notebook.h"
#include "core/lab/settings.h"

namespace equipatch {

namespace toy {
class InContextModel;
}

// Theorem 2.2 on a model of the regression experiments, whatever reads its context.

/// Trains `model`, which is `share` of the experiment, and draws the validation loss on
/// the way: with the context, and of W + ΔW on the query alone.
void trainComparing(toy::InContextModel& model, const LabSettings& settings, double share,
                    Notebook& book);

/// Draws the two outputs' mean difference over a grid of queries (the first two numbers
/// of x; others are 0), for every evaluated prompt; the rest of the experiment from
/// `begin` to `end`.
void compareOverGrid(const toy::InContextModel& model, const LabSettings& settings,
                     double begin, double end, Notebook& book);

/// grid: points along each side.
LabSetting gridSetting();

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/figure/run_figures.h"
#include "core/figure/step_panels.h"

namespace equipatch {

/// Bare passes by token, as references of printed figures: one for each text without its
/// absorbed part, that of the first run that has it. Of more texts than can be told
/// apart, only the first.
/// @param measure Linf or Tvd
std::vector<FigureCurve> controlCurves(const std::vector<FigureRun>& runs,
                                       StepMeasure measure);

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/figure/run_figures.h"
#include "core/figure/step_panels.h"

namespace equipatch {

/// Distances of bare passes by step, as reference curves. Runs with the same model,
/// prompt, images and absorbed part share one curve, which shows the first of these runs.
/// The curve's name lists the settings that distinguish this run's bare pass from all
/// others. If there would be more than four curves, only the first is returned.
/// @param measure Linf or Tvd
std::vector<FigureCurve> controlCurves(const std::vector<FigureRun>& runs,
                                       StepMeasure measure);

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/figure/run_figures.h"
#include "core/figure/step_panels.h"

namespace equipatch {

/// Distances of bare passes by step, as reference curves. Runs with the same model,
/// prompt, images and absorbed part share one curve, which shows the bare pass of the
/// first of these runs that has one. The curve's name says what distinguishes this bare
/// pass from all others: settings, or the run's name. If there would be more than four
/// curves, only the first is returned.
/// @param measure Linf or Tvd
std::vector<FigureCurve> controlCurves(const std::vector<FigureRun>& runs,
                                       StepMeasure measure);

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/figure/run_figures.h"
#include "core/figure/step_panels.h"

namespace equipatch {

/// Distances of bare passes by token, as reference curves of printed figures. Runs with
/// the same model, prompt and absorbed part share one curve, which shows the first of
/// these runs. The curve's name lists the settings in which this run's bare pass differs
/// from those of other runs. The patch is listed for free runs only: a bare pass has no
/// patch, but the text of a free run depends on it. Instead of more than four curves,
/// only the first is returned.
/// @param measure Linf or Tvd
std::vector<FigureCurve> controlCurves(const std::vector<FigureRun>& runs,
                                       StepMeasure measure);

}  // namespace equipatch

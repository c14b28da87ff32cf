// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/figure/run_figures.h"
#include "core/figure/step_panels.h"

namespace equipatch {

/// Distances of bare passes by token, as reference curves of printed figures. Runs of one
/// model, prompt and absorbed part have one curve, that of the first of these runs. Its
/// name says in which settings it differs from the bare passes of other runs. The patch,
/// which a bare pass does not have, is named for free runs only, whose text depends on
/// it. If there would be more than four curves, there is only the first.
/// @param measure Linf or Tvd
std::vector<FigureCurve> controlCurves(const std::vector<FigureRun>& runs,
                                       StepMeasure measure);

}  // namespace equipatch

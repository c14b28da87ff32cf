// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/figure/figure.h"
#include "core/record/lab_result.h"

namespace equipatch {

/// All panels of an experiment, finished or not. If the result has a picture, the picture
/// is the first panel.
/// @throws Error{BadInput} if the result has no panels, too many panels or too many
/// curves, or a map whose rows or columns are not ascending, evenly spaced and within
/// ±1e200; as decodedPicture for the picture.
Figure labFigure(const LabResult& result);

/// One panel of the experiment.
/// @param panel counted from 1, without the picture
/// @throws Error as above, and Error{BadInput} if there is no such panel.
Figure labFigure(const LabResult& result, int panel);

/// labFigure(result, panel) without decoding the picture again.
/// @param all labFigure(result)
/// @throws Error{BadInput} if there is no such panel.
Figure onePanel(const Figure& all, const LabResult& result, int panel);

}  // namespace equipatch

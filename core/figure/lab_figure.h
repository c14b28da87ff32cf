// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/figure/figure.h"
#include "core/record/lab_result.h"

namespace equipatch {

/// All panels of an experiment, finished or not, with its provenance and caption: means
/// with their standard error as a band, maps in rising colours. If the result is
/// about an image, the image is the first panel.
/// @throws Error{BadInput} when there is nothing to draw or too much, and for a map whose
/// rows or columns are not ascending, evenly spaced and within ±1e200; as decodedPicture
/// for the image.
Figure labFigure(const LabResult& result);

/// One panel of the experiment, counted from 1 without the image.
/// @throws Error as above, and Error{BadInput} when there is no such panel.
Figure labFigure(const LabResult& result, int panel);

/// The same panel, taken from the figure of the whole result: the image need not be
/// decoded again.
/// @throws Error{BadInput} when there is no such panel.
Figure onePanel(const Figure& all, const LabResult& result, int panel);

}  // namespace equipatch

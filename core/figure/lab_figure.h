// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/figure/figure.h"
#include "core/record/lab_result.h"

namespace equipatch {

/// All panels of an experiment, finished or not, with its provenance: means with their
/// standard error as a band, maps in rising colours. An image that the result is about
/// is the first panel.
/// @throws Error{BadInput} when there is nothing to draw or too much, and for a map whose
/// rows or columns are not evenly spaced or not finite.
Figure labFigure(const LabResult& result);

/// One panel of the experiment, counted from 1 without the image.
/// @throws Error{BadInput} as above, and when there is no such panel.
Figure labFigure(const LabResult& result, int panel);

/// The same from the figure of all the result's panels, whose image is decoded already.
Figure onePanel(const Figure& all, const LabResult& result, int panel);

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/figure/figure.h"
#include "core/figure/run_figures.h"
#include "core/record/lab_result.h"

namespace equipatch {

// Captions for papers: plain text in whole sentences, UTF-8 without line breaks.

/// What the figure shows, of which model, prompt and settings, in how many steps the
/// tokens agree, and what its measures and signs mean. Settings in which the runs differ
/// are left to the legend.
/// @param figure with the panels that it describes
/// @param runs that it shows, at least one
std::string captionOf(const Figure& figure, const std::vector<FigureRun>& runs);

/// The title, the settings' preset, the seed, and the notes of an experiment.
std::string captionOf(const LabResult& result);

}  // namespace equipatch

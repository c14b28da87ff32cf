// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/figure/figure.h"
#include "core/figure/run_figures.h"
#include "core/record/lab_result.h"

namespace equipatch {

// Captions for papers: plain text in whole sentences, UTF-8 without line breaks.

/// Says what the figure shows, which model, prompt and settings the runs have, how up to
/// twelve runs differ, and what the measures and signs mean. Also says in how many steps
/// the tokens agree, except in figures of patch sizes, Δm, effects and hidden errors.
/// @param figure with its panels, which the caption describes
/// @param runs that it shows, at least one
std::string captionOf(const Figure& figure, const std::vector<FigureRun>& runs);

/// The title of an experiment; the name of its preset with the settings that are texts,
/// or all settings if the user changed some; the seed if there is one; the notes.
std::string captionOf(const LabResult& result);

}  // namespace equipatch

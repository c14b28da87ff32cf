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
/// twelve runs differ, what the measures and signs mean and, for some kinds of figure, in
/// how many steps the most likely tokens agree.
/// @param runs the runs that the figure shows, at least one
std::string captionOf(const Figure& figure, const std::vector<FigureRun>& runs);

/// An experiment's title; its preset and the settings that are texts, or all settings if
/// the user changed some; its seed, if it has one; its notes.
std::string captionOf(const LabResult& result);

}  // namespace equipatch

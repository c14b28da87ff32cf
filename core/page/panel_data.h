// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/figure/run_figures.h"
#include "core/page/page_run.h"
#include "core/page/page_values.h"
#include "core/page/page_writer.h"

namespace equipatch {

// The panels of core/figure as JSON for the page's scripts. "said" is a sentence that
// describes the panel of a step.

/// The curves of `logitPanel` by step:
/// {"label", "range": [low, high], "curves": [{"name", "look", …, "x", "y"}],
///  "marks": [{"sign", "name", "x", "y"}]}
PageObject stepPanelData(const FigureRun& run);

// To save memory, the functions below write step by step. They need at least one step.

/// Sizes of the patch by layer at every step:
/// {"label", "curves": [{"name", "look", …}], "steps": [{"range", "y": [[…]], "said"}]}
void writePatchSizes(const FigureRun& run, PatchMeasure measure, PageWriter& writer);

/// The hidden error by layer at every step, in the form of writePatchSizes. A second
/// curve is the whole run's noise floor, or ε of the dtype if the run measured none.
void writeHiddenErrors(const FigureRun& run, PageWriter& writer);

/// Δm of every step, with each layer's channels pooled into at most `bins` parts:
/// {"label", "largest", "width", "bins", "layers", "steps": [{"cells", "said"}]}. "cells"
/// are float32 in Base64, little-endian, layer after layer; empty where the step's Δm is
/// missing. The whole value is null if the model's blocks close without a norm scale.
/// @throws Error as RunFile's constructor and RunFile::step if only the file holds a Δm
void writeScaleMap(const PageRun& run, int bins, PageWriter& writer);

/// The limit for the cells of all Δm maps of a page together: 1.3 MB of Base64.
inline constexpr std::int64_t kMostMapCells = 240'000;
inline constexpr int kFewestMapBins = 32;
/// The `bins` for the maps of these runs: as many as `kMostMapCells` allows, up to one
/// per channel, but at least `kFewestMapBins`.
int mapBins(const std::vector<FigureRun>& runs);

}  // namespace equipatch

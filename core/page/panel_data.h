// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/figure/run_figures.h"
#include "core/page/page_run.h"
#include "core/page/page_values.h"
#include "core/page/page_writer.h"

namespace equipatch {

// The values of a run's charts as a page's script reads them, taken from the panels that
// the window and figures show. "said" is a sentence about the panel of a step.

/// L∞ and the other quantities by step:
/// {"label", "range": [low, high], "curves": [{"name", "look", …, "x", "y"}],
///  "marks": [{"sign", "name", "x", "y"}]}
PageObject stepPanelData(const FigureRun& run);

// The values below are written step by step, because those of a long run do not fit into
// memory. The run must have at least one step.

/// Sizes of the patch by layer at every step:
/// {"label", "curves": [{"name", "look", …}], "steps": [{"range", "y": [[…]], "said"}]}
void writePatchSizes(const FigureRun& run, PatchMeasure measure, PageWriter& writer);

/// The hidden error by layer at every step, in the same form. Another curve shows what
/// the error is compared with: the noise floor of the whole run, or ε of the dtype if the
/// run measured no noise floor.
void writeHiddenErrors(const FigureRun& run, PageWriter& writer);

/// Δm of every step, with each layer's channels pooled into at most `bins` parts:
/// {"label", "largest", "width", "bins", "layers", "steps": [{"cells", "said"}]}. "cells"
/// are float32 in Base64, little-endian, layer after layer; empty where the step's Δm is
/// missing. The whole value is null if the model's blocks close without a norm scale.
/// @throws Error as RunFile::step for Δm that only the file has
void writeScaleMap(const PageRun& run, int bins, PageWriter& writer);

/// The limit for all Δm maps of a page together, in cells of four bytes: 1.3 MB of
/// Base64.
inline constexpr std::int64_t kMostMapCells = 240'000;
/// Each layer has at least this many parts, however many steps there are.
inline constexpr int kFewestMapBins = 32;
/// The number of parts into which the maps of these runs pool each layer's channels: as
/// many as `kMostMapCells` allows, up to one per channel, but at least `kFewestMapBins`.
int mapBins(const std::vector<FigureRun>& runs);

}  // namespace equipatch

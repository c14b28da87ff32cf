// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/progress.h"
#include "core/figure/run_figures.h"

namespace equipatch {

enum class FigureKind {
  ByToken,
  Accuracy,
  PatchNorms,
  ScaleHeatmap,
  LayerError,
  Overview,
  Image,  ///< for runs whose prompt has images
  Effect
};
inline constexpr int kFigureKinds = 8;

/// "generation" for ByToken; for other kinds the enumerator's words: "patch-norms".
std::string_view name(FigureKind kind);
std::optional<FigureKind> figureKindFromName(std::string_view name);

/// True if panels are side by side, so that the figure needs two columns of a page.
bool isWide(FigureKind kind);

/// Options that only some kinds of figure have.
enum class FigureOption {
  Step,
  Measure,
  Grouping,
  Spaces,
  Parts,  ///< panels of the overview
  MapStep,
  MapColours,
  MapLimit,
  Legend,
};
bool hasOption(FigureKind kind, FigureOption option);
/// The kinds that have the option: "patch-norms or overview".
std::string kindsWith(FigureOption option);

/// Makes a figure with its provenance and caption, on any thread.
/// @throws Error{BadInput} when there are no runs, a run has no steps, the runs lack the
/// chosen step or the quantity, or a panel would have no values; another Error when a
/// run's file or image cannot be read
Figure makeFigure(FigureKind kind, const std::vector<FigureRun>& runs,
                  const FigureChoice& choice);

/// The run stored in the file `path`, with the user's name for it. If the user gave none,
/// the name is empty; nameRuns sets it.
FigureRun figureRunOf(StoredRun stored, const std::filesystem::path& path);

/// Reads the given run files, and all run files in the given folders (a sweep's in the
/// order of its grid, others by name). Calls nameRuns and alignBranches. Steps lack their
/// vectors (withoutVectors) unless figures of this kind may show them.
/// @throws Error{BadInput} when a file has no steps, or a folder cannot be listed or has
/// no run files; Error{Cancelled}; others as readRun
std::vector<FigureRun> readFigureRuns(const std::vector<std::filesystem::path>& paths,
                                      FigureKind kind, Progress& progress);

}  // namespace equipatch

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
  ByToken,  ///< "generation"
  Accuracy,
  PatchNorms,
  ScaleHeatmap,
  LayerError,
  Overview,
  Image,  ///< of runs whose prompt has images
  Effect
};
inline constexpr int kFigureKinds = 8;

/// "generation", "accuracy", "patch-norms", "scale-heatmap", "layer-error", "overview",
/// "image", "effect".
std::string_view name(FigureKind kind);
std::optional<FigureKind> figureKindFromName(std::string_view name);

/// True if panels are side by side, so that the figure needs two columns of a page.
bool isWide(FigureKind kind);

/// Choices that only some kinds of figure have.
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
/// True if the option changes figures of this kind.
bool hasOption(FigureKind kind, FigureOption option);
/// The kinds with this option, in words: "patch-norms or overview".
std::string kindsWith(FigureOption option);

/// Makes a figure with its provenance and caption, on any thread.
/// @throws Error{BadInput} when there is no run; when a run lacks steps, the chosen step
/// or the quantity; when a panel would have no values. Another Error when a run's file or
/// image cannot be read
Figure makeFigure(FigureKind kind, const std::vector<FigureRun>& runs,
                  const FigureChoice& choice);

/// A run that was read from a file, with the name that the user gave it. If the user gave
/// none, the name is empty until nameRuns sets it.
FigureRun figureRunOf(StoredRun stored, const std::filesystem::path& path);

/// Reads the given run files, and all run files in the given folders (a sweep's in the
/// order of its grid, others by name), and names the runs.
/// On the token axis, a branch begins one step after the step at which it left its parent
/// run, if the parent is among the runs. Steps lack their vectors (withoutVectors)
/// unless figures of this kind may show them.
/// @throws Error{BadInput} when a file has no steps, or a folder cannot be listed or has
/// no run files; Error{Cancelled}; others as readRun
std::vector<FigureRun> readFigureRuns(const std::vector<std::filesystem::path>& paths,
                                      FigureKind kind, Progress& progress);

}  // namespace equipatch

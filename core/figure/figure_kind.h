#pragma once

#include <filesystem>
#include <optional>
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
  Overview
};
inline constexpr int kFigureKinds = 6;

/// "generation", "accuracy", "patch-norms", "scale-heatmap", "layer-error", "overview".
std::string_view name(FigureKind kind);
std::optional<FigureKind> figureKindFromName(std::string_view name);

/// Whether panels stand side by side, so that the figure needs two columns of a page.
bool isWide(FigureKind kind);

/// The figure with its provenance. Any thread.
/// @throws Error{BadInput} when there is nothing to draw.
Figure makeFigure(FigureKind kind, const std::vector<FigureRun>& runs,
                  const FigureChoice& choice);

/// Reads run files for a figure, and the names of the runs; a folder stands for all run
/// files in it. Only what the figure shows is kept in memory.
/// @throws Error{BadInput} when one is no run file or has no steps.
std::vector<FigureRun> readFigureRuns(const std::vector<std::filesystem::path>& paths,
                                      FigureKind kind, Progress& progress);

}  // namespace equipatch

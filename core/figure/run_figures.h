// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/figure/figure.h"
#include "core/record/file/run_file.h"

namespace equipatch {

/// The parts of a run that figures show.
struct FigureRun {
  std::string name;  ///< in legends
  std::shared_ptr<const RunHeader> header;
  std::vector<std::shared_ptr<const StepRecord>> steps;
  std::optional<int> style = {};  ///< from the user; absent: the curve's index
  std::string colour = {};        ///< "#rrggbb", from the user; empty: the style's
  /// Holds the vectors that steps in memory lack; empty: the run is not recorded.
  std::filesystem::path file = {};
  /// The place of step 0 on an axis that several runs share (alignBranches).
  std::int64_t begins = 0;
  /// The number that nameRuns prefers for the run (numbersOf); 0: none.
  int number = 0;
  std::string own = {};  ///< the name that the user gave to the run; empty: none
};

enum class PatchMeasure { Absolute, Relative };

/// Which runs form one curve.
enum class RunGrouping {
  Each,
  /// Runs of equal settings and weights, whatever their prompts and seeds; branches
  /// separately.
  Settings,
  All,
};

enum class OverviewPart { Tokens, PatchSizes, HiddenErrors, ScaleMap };
inline constexpr int kOverviewParts = 4;

/// How the space at the beginning of a token is shown on an axis.
enum class TokenSpaces { Omitted, Visible };

/// Options of figures. Each applies to some kinds of figure only.
struct FigureChoice {
  std::optional<StepIndex> step;          ///< absent: all steps
  std::optional<StepIndex> mapStep = {};  ///< of maps of Δm; absent: `step`, or the first
  PatchMeasure measure = PatchMeasure::Absolute;
  bool logarithmicMap = true;  ///< symmetric-logarithmic colours around 0; false: linear
  /// The magnitude at both ends of a map's colours; absent: the run's largest.
  std::optional<double> mapLimit = {};
  RunGrouping grouping = RunGrouping::Each;
  TokenSpaces spaces = TokenSpaces::Omitted;
  std::vector<OverviewPart> parts = {};  ///< empty: all that the runs have
};

// Each function that makes a figure takes at least one run, with at least one step each.
// @throws Error{BadInput} when the runs lack the quantity or the step

/// Figure 3 of [G]: L∞ and total variation distance by token. Only RunGrouping::Each
/// marks differing tokens (✗, ◆) and shows bare passes (controlCurves). Other groupings
/// draw the median and a band of each group of several runs.
Figure generationFigure(const std::vector<FigureRun>& runs,
                        const FigureChoice& choice = {});

/// Figure 4 of [G]: the distribution of L∞ and the share of equal tokens, one row for
/// each group of RunGrouping::Settings.
Figure accuracyFigure(const std::vector<FigureRun>& runs);

/// A pass with the original weights and without the absorbed part.
enum class ControlPass { Bare, Ablated };
const char* name(ControlPass pass);
/// @returns `pass`, or Bare for a run that absorbs its whole context: such a run has no
/// ablated pass.
ControlPass passIn(const RunHeader& header, ControlPass pass);

/// The distribution of a control pass's KL divergence from the contextual pass, and the
/// share of equal tokens; one row per run that has values, in effectOrder. The control
/// pass is the ablated pass if some runs absorb only a part of their context and all
/// steps of these runs have an ablated pass; otherwise it is the bare pass.
Figure effectFigure(const std::vector<FigureRun>& runs);

/// KL divergences of the pass and the number of steps with equal tokens, without name and
/// style. Ignores steps that lack the pass, and KL divergences that are not finite.
FigureBox effectBoxOf(const std::vector<std::shared_ptr<const StepRecord>>& steps,
                      ControlPass pass);
/// The indices of the boxes that have values, sorted by the largest value, descending. A
/// median would hide an absorbed part that decides a single token.
std::vector<std::size_t> effectOrder(const std::vector<FigureBox>& boxes);
/// The runs that the figure shows: for the kind `effect` only those that have a row.
std::vector<FigureRun> runsIn(const Figure& figure, std::vector<FigureRun> runs);
/// KL divergence of the pass, one row per box.
FigurePanel effectPanel(std::vector<FigureBox> boxes, ControlPass pass);

/// L∞ and the number of steps with equal tokens, without name and style.
FigureBox boxOfSteps(const std::vector<std::shared_ptr<const StepRecord>>& steps);
/// L∞, one row per box.
FigurePanel distancePanel(std::vector<FigureBox> boxes);
/// The shares of equal tokens, one bar per box.
FigurePanel sharePanel(const std::vector<FigureBox>& boxes);

/// Sizes of the patches by layer, one panel per run. For all steps, the median and a band
/// from 10 to 90 %.
Figure patchNormFigure(const std::vector<FigureRun>& runs, const FigureChoice& choice);

/// Δm of one step by layer and channel, one panel per run. Values that a run in memory
/// lacks are read from its file.
/// @throws Error also if reading fails
Figure scaleHeatmapFigure(const std::vector<FigureRun>& runs, const FigureChoice& choice);

/// Hidden error by layer, one curve per run or group. For all steps, the median over the
/// steps and a band. For each dtype, a further curve shows the noise floor (for all
/// steps, the largest one), or ε if no run measured the floor.
Figure layerErrorFigure(const std::vector<FigureRun>& runs, const FigureChoice& choice);

bool hasPictures(const FigureRun& run);
/// Figure 5 of [G]: the prompt's images and words, above the panels of generationFigure.
/// @throws Error{BadInput} also if the runs have different images, or the first run was
/// recorded without them; Error as decodedPicture
Figure imageFigure(const std::vector<FigureRun>& runs);

/// The panels of `choice.parts`, without the map of Δm if the first run's blocks do not
/// close with a norm scale. Patch sizes and the map of Δm are those of the first run.
/// @throws Error{BadInput} also if no panel remains
Figure overviewFigure(const std::vector<FigureRun>& runs, const FigureChoice& choice);

}  // namespace equipatch

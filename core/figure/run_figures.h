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
  std::optional<int> style = {};  ///< from the user; otherwise the curve's index
  std::string colour = {};        ///< "#rrggbb", from the user; empty: the style's
  /// The run's file, which holds the vectors that steps in memory lack; empty: not
  /// recorded.
  std::filesystem::path file = {};
  /// The place of this run's step 0 on an axis that it shares with others
  /// (alignBranches).
  std::int64_t begins = 0;
  /// The run's number among the runs with equal settings and prompts in a longer list,
  /// from which this run was taken (numbersOf); 0: not numbered.
  int number = 0;
  std::string own = {};  ///< the name that the user gave it; empty: nameRuns names it
};

enum class PatchMeasure { Absolute, Relative };

/// The runs that form one curve by step.
enum class RunGrouping {
  Each,      ///< one run
  Settings,  ///< all runs of equal settings, whatever their prompts; branches apart
  All,       ///< all runs
};

/// The panels of the overview.
enum class OverviewPart { Tokens, PatchSizes, HiddenErrors, ScaleMap };
inline constexpr int kOverviewParts = 4;

/// How the space at the beginning of a token is shown on an axis.
enum class TokenSpaces { Omitted, Visible };

/// Options of some kinds of figure.
struct FigureChoice {
  std::optional<StepIndex> step;  ///< one step; otherwise all steps
  /// The step of maps of Δm; absent: `step`, or the first.
  std::optional<StepIndex> mapStep = {};
  PatchMeasure measure = PatchMeasure::Absolute;
  /// True: maps around zero have symmetric-logarithmic colours; false: linear ones.
  bool logarithmicMap = true;
  /// The magnitude at the end of a map's colours; absent: the run's largest.
  std::optional<double> mapLimit = {};
  RunGrouping grouping = RunGrouping::Each;
  TokenSpaces spaces = TokenSpaces::Omitted;
  std::vector<OverviewPart> parts = {};  ///< empty: all that the runs have
};

// Each function that makes a figure takes at least one run, with at least one step each.
// @throws Error{BadInput} when the runs lack the quantity or the step

/// Figure 3 of the paper: L∞ and total variation of the logits by token. With
/// RunGrouping::Each, one curve per run, ✗ where the most likely tokens differ, and bare
/// passes (controlCurves). Otherwise one curve per group, with a band if the group has
/// several runs.
Figure generationFigure(const std::vector<FigureRun>& runs,
                        const FigureChoice& choice = {});

/// Figure 4: the distribution of L∞ and the share of equal tokens over all prompts and
/// steps, one row for each group of RunGrouping::Settings (model, dtype, method, …,
/// absorbed part).
Figure accuracyFigure(const std::vector<FigureRun>& runs);

/// A pass with the original weights and without the absorbed part. Its distance from the
/// contextual pass measures the part's effect.
enum class ControlPass { Bare, Ablated };
const char* name(ControlPass pass);  ///< "bare", "ablated"
/// @returns `pass`; for a run that absorbs its whole context always the bare pass, which
/// is then the same as the ablated one.
ControlPass passIn(const RunHeader& header, ControlPass pass);

/// How far the logits move without the absorbed part: the distribution of a control
/// pass's KL divergence from the contextual pass and the share of equal tokens, one row
/// per run that has this pass, in effectOrder. The control pass is the ablated one if
/// some runs absorb only a part of their context and all steps of these runs have an
/// ablated pass; otherwise it is the bare one.
Figure effectFigure(const std::vector<FigureRun>& runs);

/// The distribution of the pass's KL divergence over the steps that have it, and the
/// number of steps where its most likely token is that of the contextual pass; name and
/// style are not set.
FigureBox effectBoxOf(const std::vector<std::shared_ptr<const StepRecord>>& steps,
                      ControlPass pass);
/// The indices of the boxes that have values, sorted by their largest value, descending.
/// Medians would hide an absorbed part that decides a single token.
std::vector<std::size_t> effectOrder(const std::vector<FigureBox>& boxes);
/// For a figure of kind `effect`, the runs that have a row in it; for any other figure,
/// all runs.
std::vector<FigureRun> runsIn(const Figure& figure, std::vector<FigureRun> runs);
/// Distributions of the pass's KL divergence, one row per box.
FigurePanel effectPanel(std::vector<FigureBox> boxes, ControlPass pass);

/// The distribution of L∞ over the steps and the number of steps with equal tokens; name
/// and style are not set.
FigureBox boxOfSteps(const std::vector<std::shared_ptr<const StepRecord>>& steps);
/// Distributions of L∞, one row per box.
FigurePanel distancePanel(std::vector<FigureBox> boxes);
/// The shares of equal tokens of these boxes, one bar per box.
FigurePanel sharePanel(const std::vector<FigureBox>& boxes);

/// Sizes of the patches by layer, one panel per run: of one step, or the median over the
/// steps with a band from 10 to 90 %.
Figure patchNormFigure(const std::vector<FigureRun>& runs, const FigureChoice& choice);

/// Δm of one step (`mapStep`) by layer and channel, one panel per run. Values
/// that a run in memory lacks are read from its file. @throws also if reading fails
Figure scaleHeatmapFigure(const std::vector<FigureRun>& runs, const FigureChoice& choice);

/// Hidden error by layer, one curve per run or group: of one step, or the median over the
/// steps with a band. For each dtype, a further curve shows the noise floor of this step
/// or the largest of all steps, or ε if no run measured it.
Figure layerErrorFigure(const std::vector<FigureRun>& runs, const FigureChoice& choice);

/// True if the run's prompt has images.
bool hasPictures(const FigureRun& run);
/// Figure 5: the prompt's images, at their resolution, and its words, above L∞ and total
/// variation by token.
/// @throws Error{BadInput} also if the runs have different images, or the first run was
/// recorded without them; Error as decodedPicture
Figure imageFigure(const std::vector<FigureRun>& runs);

/// The panels of all other kinds except accuracy, effect and image, on one page. Patch
/// sizes and the map of Δm are of the first run.
Figure overviewFigure(const std::vector<FigureRun>& runs, const FigureChoice& choice);

}  // namespace equipatch

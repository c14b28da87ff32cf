// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/figure/run_figures.h"
#include "core/record/step_record.h"

namespace equipatch {

/// The label of the token with which a step continues its run. With
/// TokenSpaces::Visible, a "·" stands for the spaces at the token's beginning.
std::string tokenLabel(const StepRecord& step, TokenSpaces spaces = TokenSpaces::Omitted);

// Differences between the passes' logits by step. ✗ marks a step where the most likely
// tokens of the contextual and the patched pass differ, ◆ a step where their sampled
// tokens differ.

/// The panel of one run, without points. Its curves are L∞ and TVD of the patched pass,
/// the margin and, if the run measures them, L∞ of the bare pass, the ablated pass, the
/// noise floor and the audit.
FigurePanel logitPanel(const RunHeader& header);
/// @param step steps are added in order, from step 0 on
/// @param panel made by logitPanel
void addStep(const StepRecord& step, FigurePanel& panel);

/// A quantity of each step by which a panel compares runs. Bare, Noise, Audit and Ablated
/// are L∞.
enum class StepMeasure {
  Linf,
  Tvd,
  Bare,
  Margin,
  Noise,
  Audit,
  BareKl,
  Ablated,
  AblatedKl
};
inline constexpr int kStepMeasures = 9;
/// As in legends: "TVD", "bare L∞".
const char* nameOf(StepMeasure measure);

/// One quantity, one curve per run.
FigurePanel comparisonPanel(const std::vector<FigureRun>& runs, StepMeasure measure);
/// comparisonPanel and, after the runs' curves, curves of the quantities that logitPanel
/// shows for the first run, except `measure`.
FigurePanel overlayPanel(const std::vector<FigureRun>& runs, StepMeasure measure);
/// The median of a quantity by step, one curve per group of runs. The curve of several
/// runs has a band from the 10th to the 90th percentile.
FigurePanel spreadPanel(const std::vector<FigureRun>& runs, RunGrouping grouping,
                        StepMeasure measure);
/// Adds a step of the first run, whose step 0 is at `begins`.
/// @param panel made by comparisonPanel or overlayPanel
void addStep(const StepRecord& step, StepMeasure measure, FigurePanel& panel,
             std::int64_t begins = 0);

/// The largest α that strengthPanel shows.
inline constexpr double kMostStrength = 1.5;

/// One step at several strengths α of its patch: L∞ and TVD from the contextual pass and,
/// on the right axis, the patched pass's probability of the contextual pass's most likely
/// token.
/// @param readings in ascending order of α
FigurePanel strengthPanel(const std::vector<StrengthReading>& readings);

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/figure/run_figures.h"
#include "core/record/step_record.h"

namespace equipatch {

/// The label of the token with which a step continues its run. With
/// TokenSpaces::Visible, the label shows a space at its beginning as "·".
std::string tokenLabel(const StepRecord& step, TokenSpaces spaces = TokenSpaces::Omitted);

// Differences of the passes' logits by step, ✗ where the most likely tokens differ and,
// in a run that samples, ◆ where the sampled ones do. The window draws these panels
// during a run: addStep adds one step's points.

/// One run, without points: L∞ and TVD of the patched pass, the margin and, where the run
/// measures them, the bare and the ablated pass, the noise (the larger of its two
/// references) and the audit.
FigurePanel logitPanel(const RunHeader& header);
/// @param step steps are added in order, from step 0 on
/// @param panel made by logitPanel
void addStep(const StepRecord& step, FigurePanel& panel);

/// The quantity by which a panel compares runs.
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
/// "L∞", "TVD", "bare L∞", "margin", "noise L∞", "audit L∞", "bare KL", "ablated L∞",
/// "ablated KL".
const char* nameOf(StepMeasure measure);

/// One quantity, one curve per run.
FigurePanel comparisonPanel(const std::vector<FigureRun>& runs, StepMeasure measure);
/// comparisonPanel for the screen. After the runs' curves it has curves of the first
/// run's other quantities.
FigurePanel overlayPanel(const std::vector<FigureRun>& runs, StepMeasure measure);
/// One quantity: for each group of runs the median by step, with a band from the 10th to
/// the 90th percentile where the group has several runs.
FigurePanel spreadPanel(const std::vector<FigureRun>& runs, RunGrouping grouping,
                        StepMeasure measure);
/// Adds a step of the first run, whose step 0 is at `begins`.
/// @param panel made by comparisonPanel or overlayPanel
void addStep(const StepRecord& step, StepMeasure measure, FigurePanel& panel,
             std::int64_t begins = 0);

/// The largest α that strengthPanel shows.
inline constexpr double kMostStrength = 1.5;

/// One step at several strengths α of its patch, readings by rising α: L∞ and TVD from
/// the contextual pass and, on the right axis, the patched pass's probability of the
/// contextual pass's most likely token.
FigurePanel strengthPanel(const std::vector<StrengthReading>& readings);

}  // namespace equipatch

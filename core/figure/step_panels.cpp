// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/step_panels.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "core/figure/control_curves.h"
#include "core/figure/run_groups.h"
#include "core/figure/run_places.h"
#include "core/figure/statistics.h"
#include "core/figure/token_axis.h"
#include "core/record/context_effect.h"
#include "core/record/quantile.h"
#include "core/record/verdict.h"
#include "core/text/visible_text.h"

namespace equipatch {
namespace {

using Look = FigureCurve::Look;

constexpr const char* kMismatches = "tokens differ";
constexpr const char* kSharedSteps = "step (counted from the run that begins first)";
constexpr const char* kSampledDifferences = "sampled tokens differ";
constexpr std::int64_t kMostMarked = 60;  // steps; on longer axes, curves are `dense`

struct StepQuantity {
  const char* name;
  Look look;
  bool (*isShown)(const RunHeader&);  ///< in logitPanel and overlayPanel
  std::optional<double> (*of)(const StepRecord&);
};

bool always(const RunHeader&) {
  return true;
}

bool never(const RunHeader&) {
  return false;
}

/// In the order of StepMeasure.
constexpr StepQuantity kStepQuantities[] = {
    {"L∞", Look::Patched, always,
     [](const StepRecord& step) { return std::optional(step.patchedDistance.linf); }},
    {"TVD", Look::Distribution, always,
     [](const StepRecord& step) { return std::optional(step.patchedDistance.tvd); }},
    {"bare L∞", Look::Bare, [](const RunHeader& header) { return header.request.bare; },
     [](const StepRecord& step) {
       return step.bareDistance ? std::optional(step.bareDistance->linf) : std::nullopt;
     }},
    {"margin", Look::Margin, always,
     [](const StepRecord& step) { return std::optional(step.margin); }},
    {"noise L∞", Look::Noise,
     [](const RunHeader& header) { return header.request.measureNoise; },
     [](const StepRecord& step) {
       const NoiseFloor floor = floorOf(step);
       return floor.measured ? std::optional(floor.linf) : std::nullopt;
     }},
    {"audit L∞", Look::Audit,
     [](const RunHeader& header) { return header.request.audit; },
     [](const StepRecord& step) {
       return step.auditDistance ? std::optional(step.auditDistance->linf) : std::nullopt;
     }},
    {"bare KL", Look::Bare, never,
     [](const StepRecord& step) {
       return step.bareDistance ? std::optional(step.bareDistance->kl) : std::nullopt;
     }},
    {"ablated L∞", Look::Ablated,
     [](const RunHeader& header) { return header.request.runsAblated(); },
     [](const StepRecord& step) {
       return step.ablatedDistance ? std::optional(step.ablatedDistance->linf)
                                   : std::nullopt;
     }},
    {"ablated KL", Look::Ablated, never, [](const StepRecord& step) {
       return step.ablatedDistance ? std::optional(step.ablatedDistance->kl)
                                   : std::nullopt;
     }}};

static_assert(std::size(kStepQuantities) == kStepMeasures);

std::optional<double> valueOf(const StepRecord& step, StepMeasure measure) {
  return kStepQuantities[static_cast<int>(measure)].of(step);
}

constexpr const char* kMeasureLabels[] = {"L∞ of the logits",
                                          "total variation",
                                          "bare L∞ of the logits",
                                          "margin, logits",
                                          "noise L∞ of the logits",
                                          "audit L∞ of the logits",
                                          "KL of the bare pass, nats",
                                          "ablated L∞ of the logits",
                                          "KL of the ablated pass, nats"};
static_assert(std::size(kMeasureLabels) == kStepMeasures);

/// @param points of a curve or of marks
/// @param begins the place of the run's step 0
template <typename Points>
void addPoint(const StepRecord& step, double value, Points& points,
              std::int64_t begins = 0) {
  points.x.push_back(static_cast<double>(step.step.value + begins));
  points.y.push_back(value);
}

/// The y values at which a step's marks are drawn.
struct MarkedValues {
  double mismatch;
  double sampledDifference;
};

/// @param panel made by emptyPanel
void addMarks(const StepRecord& step, const MarkedValues& values, FigurePanel& panel,
              std::int64_t begins = 0) {
  if (!step.match) addPoint(step, values.mismatch, panel.marks[0], begins);
  if (panel.marks.size() > 1 && step.sampledMatch && !*step.sampledMatch)
    addPoint(step, values.sampledDifference, panel.marks[1], begins);
}

struct PlaceOfRun {
  std::size_t curve = 0;    ///< the index of the run's curve in the panel
  std::int64_t begins = 0;  ///< the place of the run's step 0
};

void addTo(FigurePanel& panel, PlaceOfRun place, const StepRecord& step,
           StepMeasure measure) {
  const std::optional<double> value = valueOf(step, measure);
  if (!value) return;
  addPoint(step, *value, panel.curves[place.curve], place.begins);
  addMarks(step, {*value, *value}, panel, place.begins);
  for (FigureMarks& marks : panel.marks) marks.curves.resize(marks.x.size(), place.curve);
}

/// In the panel, marks[0] are for ✗; marks[1] are for ◆ and exist only if `samples`.
FigurePanel emptyPanel(const std::string& label, bool samples) {
  FigurePanel panel{.x = {.label = "step", .counts = true},
                    .y = {.label = label, .scale = FigureScale::Logarithmic},
                    .marks = {{.name = kMismatches}}};
  if (samples)
    panel.marks.push_back(
        {.symbol = FigureMarks::Symbol::SampledDifference, .name = kSampledDifferences});
  return panel;
}

/// Adds a step of the first run to overlayPanel's curves of quantities other than the
/// measure.
void addOthers(const StepRecord& step, StepMeasure measure, FigurePanel& panel,
               std::int64_t begins) {
  for (const StepQuantity& quantity : kStepQuantities) {
    if (quantity.name == nameOf(measure)) continue;
    const auto curve =
        std::ranges::find_if(panel.curves, [&](const FigureCurve& candidate) {
          return candidate.look != Look::Numbered && candidate.name == quantity.name;
        });
    const std::optional<double> value = quantity.of(step);
    if (curve != panel.curves.end() && value) addPoint(step, *value, *curve, begins);
  }
}

/// Adds the step's token to the label of the step's place. The label joins different
/// tokens: "sun ≠ snow".
void addToken(const StepRecord& step, FigurePanel& panel, std::int64_t begins) {
  const std::string between = " ≠ ", token = tokenLabel(step);
  const auto place = static_cast<std::size_t>(step.step.value + begins);
  if (panel.tokens.size() <= place) panel.tokens.resize(place + 1);
  std::string& shown = panel.tokens[place];
  if (shown.empty())
    shown = token;
  else if ((between + shown + between).find(between + token + between) ==
           std::string::npos)
    shown += between + token;
}

bool samples(const FigureRun& run) {
  return run.header && run.header->request.samples();
}

FigureCurve spreadCurve(const RunGroup& group, StepMeasure measure) {
  std::map<std::int64_t, std::vector<double>> values;
  for (const FigureRun* run : group.runs)
    for (const auto& step : run->steps)
      if (const auto value = valueOf(*step, measure))
        values[step->step.value + run->begins].push_back(*value);
  const bool several = group.runs.size() > 1;
  FigureCurve curve{.name = group.name.empty() ? group.runs.front()->name : group.name,
                    .style = group.style,
                    .colour = group.colour,
                    .dense = true};
  for (auto& [step, all] : values) {
    const std::vector<double> sorted = sortedNumbers(std::move(all));
    curve.x.push_back(static_cast<double>(step));
    curve.y.push_back(sortedQuantile(sorted, 0.5));
    if (!several) continue;
    curve.counts.push_back(std::ssize(sorted));
    curve.lower.push_back(sortedQuantile(sorted, 0.1));
    curve.upper.push_back(sortedQuantile(sorted, 0.9));
  }
  if (!curve.counts.empty()) curve.name = medianName(group, curve.counts);
  return curve;
}

FigurePanel printedPanel(const std::vector<FigureRun>& runs, StepMeasure measure) {
  FigurePanel panel = comparisonPanel(runs, measure);
  std::ranges::move(controlCurves(runs, measure), std::back_inserter(panel.curves));
  for (FigureCurve& curve : panel.curves) curve.dense = endOf(runs) > kMostMarked;
  std::erase_if(panel.marks, [](const FigureMarks& marks) { return marks.x.empty(); });
  return panel;
}

}  // namespace

FigurePanel logitPanel(const RunHeader& header) {
  FigurePanel panel = emptyPanel("L∞ of the logits, TVD", header.request.samples());
  for (const StepQuantity& quantity : kStepQuantities)
    if (quantity.isShown(header))
      panel.curves.push_back(
          {.name = quantity.name, .look = quantity.look, .dense = true});
  return panel;
}

void addStep(const StepRecord& step, FigurePanel& panel) {
  panel.tokens.push_back(tokenLabel(step));
  for (const StepQuantity& quantity : kStepQuantities) {
    const auto curve = std::ranges::find(panel.curves, quantity.name, &FigureCurve::name);
    const std::optional<double> value = quantity.of(step);
    if (curve != panel.curves.end() && value) addPoint(step, *value, *curve);
  }
  // ◆ stands on the TVD curve: at temperature 1, without top-k and top-p, the TVD is a
  // lower bound of the probability that the sampled tokens differ.
  addMarks(step, {step.patchedDistance.linf, step.patchedDistance.tvd}, panel);
}

FigurePanel comparisonPanel(const std::vector<FigureRun>& runs, StepMeasure measure) {
  FigurePanel panel = emptyPanel(kMeasureLabels[static_cast<int>(measure)],
                                 std::ranges::any_of(runs, samples));
  if (hasBranches(runs)) panel.x.label = kSharedSteps;
  for (const FigureRun& run : runs) {
    const std::size_t place = panel.curves.size();
    panel.curves.push_back({.name = run.name,
                            .style = run.style.value_or(static_cast<int>(place)),
                            .colour = run.colour,
                            .dense = true});
    for (const auto& step : run.steps) addTo(panel, {place, run.begins}, *step, measure);
  }
  panel.tokens.resize(static_cast<std::size_t>(endOf(runs)));
  for (const FigureRun& run : runs)
    for (const auto& step : run.steps) addToken(*step, panel, run.begins);
  return panel;
}

void addStep(const StepRecord& step, StepMeasure measure, FigurePanel& panel,
             std::int64_t begins) {
  addToken(step, panel, begins);
  addTo(panel, {.begins = begins}, step, measure);
  addOthers(step, measure, panel, begins);
}

FigurePanel overlayPanel(const std::vector<FigureRun>& runs, StepMeasure measure) {
  FigurePanel panel = comparisonPanel(runs, measure);
  const FigureRun& own = runs.front();
  for (const StepQuantity& quantity : kStepQuantities) {
    if (quantity.name == nameOf(measure) || !quantity.isShown(*own.header)) continue;
    const bool ofPatch =
        quantity.look == Look::Patched || quantity.look == Look::Distribution;
    // Curves of L∞ and TVD have the colour of the run's own curve. Marks on their points
    // tell them from it; therefore they are not `dense`.
    panel.curves.push_back({.name = quantity.name,
                            .look = quantity.look,
                            .style = own.style.value_or(0),
                            .colour = ofPatch ? own.colour : std::string(),
                            .dense = !ofPatch,
                            .besideRuns = true});
  }
  panel.y.label = measure == StepMeasure::Linf
                      ? "L∞ of the logits, TVD"
                      : std::string(nameOf(measure)) + " of the runs";
  for (const auto& step : own.steps) addOthers(*step, measure, panel, own.begins);
  return panel;
}

std::string tokenLabel(const StepRecord& step, TokenSpaces spaces) {
  const std::string& text = continuedBytes(step);
  // If a token consists of spaces only, its label already shows them as "·".
  const bool shows = spaces == TokenSpaces::Visible && text.starts_with(' ') &&
                     text.find_first_not_of(' ') != std::string::npos;
  return std::string(shows ? kVisibleSpace : "") + tokenLabel(text);
}

FigurePanel spreadPanel(const std::vector<FigureRun>& runs, RunGrouping grouping,
                        StepMeasure measure) {
  FigurePanel panel = emptyPanel(kMeasureLabels[static_cast<int>(measure)], false);
  if (hasBranches(runs)) panel.x.label = kSharedSteps;
  panel.marks.clear();  // a median has no tokens to compare
  for (const RunGroup& group : groupsOf(runs, grouping))
    panel.curves.push_back(spreadCurve(group, measure));
  return panel;
}

const char* nameOf(StepMeasure measure) {
  return kStepQuantities[static_cast<int>(measure)].name;
}

FigurePanel strengthPanel(const std::vector<StrengthReading>& readings) {
  FigurePanel panel{
      .x = {.label = "α", .limits = FigureRange{-0.05, kMostStrength + 0.05}},
      .y = {.label = "L∞ of the logits, TVD", .scale = FigureScale::Logarithmic},
      .right = FigureAxis{.label = "probability", .limits = FigureRange{-0.05, 1.05}},
      .curves = {{.name = "L∞", .look = Look::Patched},
                 {.name = "TVD", .look = Look::Distribution},
                 {.name = "probability", .look = Look::Probability, .onRight = true}},
      .marks = {{.name = kMismatches}}};
  const auto add = [](double alpha, double value, auto& points) {
    points.x.push_back(alpha);
    points.y.push_back(value);
  };
  for (const StrengthReading& reading : readings) {
    const double alpha = reading.strength.alpha;
    add(alpha, reading.distance.linf, panel.curves[0]);
    add(alpha, reading.distance.tvd, panel.curves[1]);
    add(alpha, reading.probability, panel.curves[2]);
    if (!reading.match) add(alpha, reading.distance.linf, panel.marks[0]);
  }
  return panel;
}

Figure generationFigure(const std::vector<FigureRun>& runs, const FigureChoice& choice) {
  if (choice.grouping != RunGrouping::Each) {
    const bool pools =
        std::ranges::any_of(groupsOf(runs, choice.grouping),
                            [](const RunGroup& group) { return group.runs.size() > 1; });
    Figure figure{.kind = "generation",
                  .title = std::string("Contextual and patched pass, ") +
                           (pools ? "median and 10 to 90 % of runs" : "token by token"),
                  .panels = {spreadPanel(runs, choice.grouping, StepMeasure::Linf),
                             spreadPanel(runs, choice.grouping, StepMeasure::Tvd)}};
    if (haveSameTokens(runs)) figure.panels.back().x = tokenAxis(runs, choice.spaces);
    return figure;
  }
  FigurePanel upper = printedPanel(runs, StepMeasure::Linf);
  FigurePanel lower = printedPanel(runs, StepMeasure::Tvd);
  if (FigureAxis tokens = tokenAxis(runs, choice.spaces); !tokens.names.empty())
    lower.x = std::move(tokens);
  return {.kind = "generation",
          .title = "Contextual and patched pass, token by token",
          .panels = {std::move(upper), std::move(lower)}};
}

}  // namespace equipatch

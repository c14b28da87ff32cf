#include <algorithm>

#include "core/figure/run_figures.h"
#include "core/figure/token_label.h"

namespace equipatch {
namespace {

using Quantity = double (*)(const LogitDistance&);

double linf(const LogitDistance& distance) {
  return distance.linf;
}

double tvd(const LogitDistance& distance) {
  return distance.tvd;
}

const FigureRun& longest(const std::vector<FigureRun>& runs) {
  return *std::ranges::max_element(runs, {},
                                   [](const FigureRun& run) { return run.steps.size(); });
}

/// The tokens that were generated; ≠ where the runs went different ways.
std::vector<std::string> tokenNames(const std::vector<FigureRun>& runs) {
  std::vector<std::string> names;
  for (const auto& record : longest(runs).steps) {
    const auto place = names.size();
    const bool same = std::ranges::all_of(runs, [&](const FigureRun& run) {
      return place >= run.steps.size() ||
             run.steps[place]->continued == record->continued;
    });
    const std::string& text =
        record->continuedBytes.empty() ? record->tokenText : record->continuedBytes;
    names.push_back(same ? tokenLabel(text) : "≠");
  }
  return names;
}

FigureCurve curveOf(const FigureRun& run, Quantity quantity) {
  FigureCurve curve{.name = run.name};
  for (const auto& step : run.steps) {
    curve.x.push_back(static_cast<double>(step->step.value));
    curve.y.push_back(quantity(step->patchedDistance));
  }
  return curve;
}

/// What the patch has to supply: the pass that has neither context nor patch.
FigureCurve controlOf(const FigureRun& run, Quantity quantity) {
  FigureCurve curve{.name = "bare pass", .role = FigureCurve::Role::Reference};
  for (const auto& step : run.steps) {
    if (!step->bareDistance) continue;
    curve.x.push_back(static_cast<double>(step->step.value));
    curve.y.push_back(quantity(*step->bareDistance));
  }
  return curve;
}

FigureMarks mismatchesOf(const std::vector<FigureRun>& runs, Quantity quantity) {
  FigureMarks marks{.name = "tokens differ"};
  for (const FigureRun& run : runs)
    for (const auto& step : run.steps) {
      if (step->match) continue;
      marks.x.push_back(static_cast<double>(step->step.value));
      marks.y.push_back(quantity(step->patchedDistance));
    }
  return marks;
}

FigurePanel panelOf(const std::vector<FigureRun>& runs, Quantity quantity) {
  FigurePanel panel;
  panel.x = {.label = "step", .counts = true};
  panel.y.scale = FigureScale::Logarithmic;
  int place = 0;
  for (const FigureRun& run : runs) {
    panel.curves.push_back(curveOf(run, quantity));
    panel.curves.back().style = run.style.value_or(place);
    ++place;
  }
  if (FigureCurve control = controlOf(runs.front(), quantity); !control.x.empty())
    panel.curves.push_back(std::move(control));
  if (FigureMarks marks = mismatchesOf(runs, quantity); !marks.x.empty())
    panel.marks.push_back(std::move(marks));
  return panel;
}

}  // namespace

Figure generationFigure(const std::vector<FigureRun>& runs) {
  FigurePanel upper = panelOf(runs, linf);
  upper.y.label = "L∞ of the logits";
  FigurePanel lower = panelOf(runs, tvd);
  lower.y.label = "total variation";
  lower.x = {.label = "generated token", .counts = true, .names = tokenNames(runs)};
  return {.kind = "generation",
          .title = "Contextual and patched pass, token by token",
          .panels = {std::move(upper), std::move(lower)}};
}

}  // namespace equipatch

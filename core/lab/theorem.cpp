// SPDX-License-Identifier: GPL-3.0-or-later
// Theorem 2.2 of Dherin et al. on one block, with attention or with a recurrent network.
#include <cmath>

#include "core/lab/experiment.h"
#include "core/lab/regression.h"
#include "core/record/quantile.h"
#include "core/toy/in_context_regression.h"
#include "core/toy/statistics.h"
#include "core/toy/training.h"

namespace equipatch {
namespace {

constexpr double kGridEdge = 2.0;        // in standard deviations of x
constexpr double kTrainingShare = 0.85;  // of the experiment's progress
constexpr const char* kWithContext = "context and query, W";
constexpr const char* kPatched = "query alone, W + ΔW";

LabPanel lossPanel() {
  return {.title = "Validation loss",
          .x = {"training step"},
          .y = {"mean squared error", "", LabScale::Logarithmic},
          .curves = {{.name = kWithContext}, {.name = kPatched}}};
}

LabPanel closeUp(LabPanel panel) {
  panel.title += ", close-up";
  panel.y.scale = LabScale::Linear;
  for (LabCurve& curve : panel.curves) {
    const auto skipped = static_cast<std::ptrdiff_t>(curve.x.size() * 2 / 3);
    curve.x.erase(curve.x.begin(), curve.x.begin() + skipped);
    curve.y.erase(curve.y.begin(), curve.y.begin() + skipped);
  }
  return panel;
}

/// `side` values from −kGridEdge to kGridEdge; if `side` is odd, the middle value is
/// exactly 0.
at::Tensor gridAxis(std::int64_t side, const at::TensorOptions& options) {
  const at::Tensor axis = at::arange(1 - side, side, 2, at::kDouble) *
                          (kGridEdge / static_cast<double>(side - 1));
  return axis.to(options);
}

/// Copies the prompt for each point of the grid and makes the point the copy's query.
/// @param axis [side]
/// @param columns one prompt [N + 1, d + 1], the query last
/// @returns [side · side, N + 1, d + 1]
at::Tensor promptsOver(const at::Tensor& axis, const at::Tensor& columns) {
  const std::int64_t side = axis.size(0);
  at::Tensor prompts = columns.unsqueeze(0).expand({side * side, -1, -1}).contiguous();
  at::Tensor queries = prompts.select(1, -1);
  queries.zero_();
  queries.select(1, 0).copy_(axis.repeat({side}));
  if (columns.size(1) > 2) queries.select(1, 1).copy_(axis.repeat_interleave(side));
  return prompts;
}

struct Answers {
  at::Tensor contextual, patched;  ///< [prompts]
};

Answers answersTo(const at::Tensor& prompts, const toy::InContextModel& model) {
  return {model.predict(prompts), model.predictPatched(prompts)};
}

LabSetting gridSetting() {
  return {"grid",
          "queries along each side of the map",
          std::int64_t{11},
          std::int64_t{21},
          2.0,
          201.0};
}

/// Trains `model` and plots the validation losses of the contextual and the patched
/// answers. The experiment's progress rises from 0 to `share`.
void trainComparing(toy::InContextModel& model, const LabSettings& settings, double share,
                    Notebook& book) {
  const toy::LinearTasks tasks = evaluationTasks(settings, book.seed());
  toy::Training training(
      model.parameters(),
      [&](const toy::LinearTasks& batch) { return model.loss(batch); },
      trainingPlan(settings, book.seed()));
  LabPanel panel = lossPanel();
  double contextualLoss = 0.0, largest = 0.0;
  train(training, share, book, [&](std::int64_t steps, double) {
    const at::NoGradGuard noGradients;
    contextualLoss = model.loss(tasks).item<double>();
    const double patchedLoss =
        at::mse_loss(model.predictPatched(tasks.columns), tasks.answers).item<double>();
    for (LabCurve& curve : panel.curves) curve.x.push_back(static_cast<double>(steps));
    panel.curves[0].y.push_back(contextualLoss);
    panel.curves[1].y.push_back(patchedLoss);
    largest = maximum(largest, std::abs(patchedLoss - contextualLoss) / contextualLoss);
    book.plot(panel);
    book.plot(closeUp(panel));
  });
  book.addScalar({"validation loss after training", contextualLoss, "", {}});
  book.addScalar(
      {"largest relative difference of the two validation losses", largest, "", {}});
}

/// Plots the mean difference between contextual and patched answers for each query of a
/// grid over x₁ and x₂; if x has one element, x₂ has no effect. All elements after x₂ are
/// 0. The experiment's progress rises from `begin` to `end`.
void compareOverGrid(const toy::InContextModel& model, const LabSettings& settings,
                     double begin, double end, Notebook& book) {
  const at::NoGradGuard noGradients;
  const toy::LinearTasks tasks = evaluationTasks(settings, book.seed());
  const std::int64_t side = settings.count("grid"), count = tasks.columns.size(0);
  const at::Tensor axis = gridAxis(side, tasks.columns.options());
  // Points with z = A(x) = 0, for which no ΔW exists. A(x) depends on the query alone, so
  // these points are the same for all prompts.
  const at::Tensor undefined =
      (model.layer().alone(promptsOver(axis, tasks.columns[0])) == 0).all(1);
  const at::Tensor isDefined = undefined.logical_not();
  at::Tensor sum = at::zeros({side * side}, at::kDouble);
  double largest = 0.0, size = 0.0;
  for (std::int64_t task = 0; task < count; ++task) {
    book.advance(
        begin + (end - begin) * static_cast<double>(task) / static_cast<double>(count),
        "Comparing outputs over the grid");
    const Answers answers = answersTo(promptsOver(axis, tasks.columns[task]), model);
    const at::Tensor difference =
        (answers.patched - answers.contextual).abs().to(at::kDouble);
    sum += difference;
    largest = maximum(largest, difference.masked_fill(undefined, 0).max().item<double>());
    size += answers.contextual.abs().masked_select(isDefined).mean().item<double>() /
            static_cast<double>(count);
  }
  if (undefined.any().item<bool>())
    book.addNote(
        "No ΔW exists where the query alone gives z = 0 (with attention: at x = 0); the "
        "map has a gap there.");
  const std::vector<double> ticks = toy::toValues(axis);
  const at::Tensor mean =
      (sum / static_cast<double>(count)).masked_fill(undefined, std::nan(""));
  const at::Tensor defined = mean.masked_select(isDefined);
  book.plot({.title = "Mean difference, with context and patched",
             .x = {"x₁"},
             .y = {"x₂"},
             .map = LabMap{.label = "mean |difference|",
                           .scale = LabScale::Linear,
                           .x = ticks,
                           .y = ticks,
                           .values = toy::toValues(mean)}});
  book.addScalar({"mean difference of the outputs over the grid",
                  defined.mean().item<double>(), "", /*paper=*/1e-7});
  book.addScalar({"largest difference of the outputs over the grid", largest, "", {}});
  book.addScalar({"mean size of the output over the grid", size, "", {}});
}

void runTheorem(const LabSettings& settings, Notebook& book) {
  const auto model =
      makeModel(makeAttention(settings, book.seed()), settings, book.seed());
  trainComparing(*model, settings, kTrainingShare, book);
  compareOverGrid(*model, settings, kTrainingShare, 1.0, book);
}

void runRecurrent(const LabSettings& settings, Notebook& book) {
  Random random = randomStream(book.seed(), LabStream::Layer);
  const auto model =
      makeModel(std::make_unique<toy::RecurrentLayer>(settings.count("dimension") + 1,
                                                      settings.count("width"), random,
                                                      toTorch(dtypeOf(settings))),
                settings, book.seed());
  trainComparing(*model, settings, kTrainingShare, book);
  plotUpdateSteps(*model, settings, book);
  compareOverGrid(*model, settings, kTrainingShare, 1.0, book);
}

std::vector<LabSetting> recurrentSettings() {
  std::vector<LabSetting> settings = regressionSettings();
  drop(settings, "heads");
  setDefault(settings, "width", std::int64_t{64}, std::int64_t{64});
  setDefault(settings, "pairs", std::int64_t{40}, std::int64_t{200});
  setDefault(settings, "steps", std::int64_t{1000}, std::int64_t{10000});
  setDefault(settings, "rate", 5e-3, 5e-3);
  settings.push_back(gridSetting());
  return settings;
}

}  // namespace

Experiment theoremExperiment() {
  std::vector<LabSetting> settings = regressionSettings();
  settings.push_back(gridSetting());
  return {
      .name = "theorem",
      .title = "Context as a change of weights",
      .claim =
          "A block gives the same output with weights W and the context as with weights "
          "W + ΔW and no context (Dherin et al., Theorem 2.2, Figure 2).",
      .task = kLinearTask,
      .settings = settings,
      .run = runTheorem};
}

Experiment recurrentExperiment() {
  return {
      .name = "rnn",
      .title = "A recurrent network instead of attention",
      .claim =
          "The equality holds for any contextual layer, the convergence does not: with "
          "a recurrent network ΔW keeps changing (Dherin et al., Figure 6).",
      .task = kLinearTask,
      .settings = recurrentSettings(),
      .run = runRecurrent};
}

}  // namespace equipatch

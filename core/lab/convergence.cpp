// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/base/strings.h"
#include "core/lab/experiment.h"
#include "core/lab/regression.h"
#include "core/toy/implicit_update.h"
#include "core/toy/in_context_regression.h"
#include "core/toy/statistics.h"

namespace equipatch {
namespace {

constexpr std::int64_t kMostPrompts = 10;

/// Compares the weights of gradient descent with W + (ΔW)_i for a few prompts
/// (Proposition 3.1).
void compareWithDescent(const toy::InContextModel& model, const LabSettings& settings,
                        Notebook& book) {
  const toy::LinearTasks tasks = evaluationTasks(settings, book.seed());
  const std::int64_t count = std::min(kMostPrompts, tasks.columns.size(0));
  const at::Tensor prefixes =
      model.layer().withPrefixes(tasks.columns.slice(0, 0, count)).detach();
  const at::Tensor W = model.mlp().W_in.detach();
  std::vector<at::Tensor> differences;
  for (std::int64_t task = 0; task < count; ++task) {
    book.advance(0.9 + 0.1 * static_cast<double>(task) / static_cast<double>(count),
                 "Gradient descent");
    const at::Tensor descended = toy::gradientDescent(W, prefixes[task]);
    const at::Tensor implicit =
        W + toy::implicitUpdate(W, prefixes[task], prefixes[task].slice(0, 0, 1));
    differences.push_back((descended - implicit).square().sum({1, 2}).sqrt() / W.norm());
  }
  const toy::MeanCurve curve = toy::meanCurve(at::stack(differences));
  book.plot(
      {.title = "Gradient descent and ΔW",
       .x = {"pairs in the context, i"},
       .y = {"‖Wᵢ − (W + (ΔW)ᵢ)‖ / ‖W‖", "", LabScale::Logarithmic},
       .curves = {{"mean of " + countText(std::size_t(count), "prompt"),
                   toy::integersFrom(0, curve.mean.size()), curve.mean, curve.error}}});
  book.addScalar({"largest relative difference from gradient descent",
                  at::stack(differences).max().item<double>(),
                  "",
                  {}});
}

void runConvergence(const LabSettings& settings, Notebook& book) {
  const auto model = trainedModel(settings, 0.85, book);
  plotUpdateSteps(*model, settings, book);
  compareWithDescent(*model, settings, book);
}

}  // namespace

Experiment convergenceExperiment() {
  return {.name = "convergence",
          .title = "Implicit learning converges",
          .claim =
              "Each further example changes ΔW less, and each change is a step of "
              "gradient descent (Dherin et al., Proposition 3.1, Figure 3).",
          .task = kLinearTask,
          .settings = regressionSettings(),
          .run = runConvergence};
}

}  // namespace equipatch

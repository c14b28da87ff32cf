// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/lab/experiment.h"
#include "core/lab/regression.h"
#include "core/record/quantile.h"
#include "core/toy/block_stack.h"
#include "core/toy/in_context_regression.h"
#include "core/toy/statistics.h"

namespace equipatch {
namespace {

/// The last token of each sequence [B, N, n] → [B, n].
at::Tensor last(const at::Tensor& sites) {
  return sites.select(1, -1);
}

/// The output of each block [tasks, width] for the query: with the context, and patched
/// without the context.
struct QueryPasses {
  std::vector<at::Tensor> contextual, patched;
};

QueryPasses passesOf(const toy::BlockStack& stack, const toy::LinearTasks& tasks) {
  const toy::StackSites sites = toy::contextualSites(stack, tasks.columns);
  std::vector<at::Tensor> mids;
  QueryPasses passes;
  for (const at::Tensor& mid : sites.mids) mids.push_back(last(mid));
  for (const at::Tensor& out : sites.outs) passes.contextual.push_back(last(out));
  passes.patched = toy::patchedStack(stack, last(tasks.columns), mids).outs;
  return passes;
}

double lossOf(const toy::BlockStack& stack, const at::Tensor& out,
              const toy::LinearTasks& tasks) {
  return at::mse_loss(stack.answer(out), tasks.answers).item<double>();
}

void plotBlockDifferences(const QueryPasses& passes, Notebook& book) {
  std::vector<at::Tensor> means;
  double largest = 0.0;
  for (std::size_t block = 0; block < passes.patched.size(); ++block) {
    const at::Tensor difference =
        (passes.patched[block] - passes.contextual[block]).abs().to(at::kDouble);
    means.push_back(difference.mean(1));
    largest = maximum(largest, difference.max().item<double>());
  }
  const toy::MeanCurve curve = toy::meanCurve(at::stack(means, 1));
  book.plot({.title = "Difference of the outputs by block",
             .x = {"block"},
             .y = {"mean |difference|", "", LabScale::Logarithmic},
             .curves = {{"mean of the prompts", toy::integersFrom(1, curve.mean.size()),
                         curve.mean, curve.error}}});
  book.addScalar(
      {"mean difference of the last block's output", curve.mean.back(), "", 1e-6});
  book.addScalar({"largest difference of any block's output", largest, "", {}});
}

void runStack(const LabSettings& settings, Notebook& book) {
  const auto stack = makeStack(settings, book.seed());
  const toy::LinearTasks tasks = evaluationTasks(settings, book.seed());
  LabPanel panel{.title = "Validation loss",
                 .x = {"training step"},
                 .y = {"mean squared error", "", LabScale::Logarithmic},
                 .curves = {{.name = "context and query, W"},
                            {.name = "query alone, W + ΔW and b + Δb"}}};
  trainStack(*stack, settings, 0.95, book, [&](std::int64_t steps, double) {
    const at::NoGradGuard noGradients;
    const QueryPasses passes = passesOf(*stack, tasks);
    for (LabCurve& curve : panel.curves) curve.x.push_back(static_cast<double>(steps));
    panel.curves[0].y.push_back(lossOf(*stack, passes.contextual.back(), tasks));
    panel.curves[1].y.push_back(lossOf(*stack, passes.patched.back(), tasks));
    book.plot(panel);
    plotBlockDifferences(passes, book);
  });
  book.addScalar({"validation loss after training", panel.curves[0].y.back(), "", {}});
}

}  // namespace

Experiment stackExperiment() {
  return {.name = "stack",
          .title = "Stacked blocks",
          .claim =
              "With skip connections, norms and many blocks, updates of W and b in every "
              "block still replace the context (Dherin et al., Theorem B.2, Figure 5).",
          .task = kLinearTask,
          .settings = stackSettings(),
          .run = runStack};
}

}  // namespace equipatch

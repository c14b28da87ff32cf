// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lab/experiment.h"
#include "core/lab/regression.h"
#include "core/record/quantile.h"
#include "core/toy/block_stack.h"
#include "core/toy/in_context_regression.h"
#include "core/toy/statistics.h"

namespace equipatch {
namespace {

/// Passes every token of every prompt through the stack, without its context but with the
/// patches that replace this context: [B · N, …].
toy::PatchedStack patchedTokens(const toy::BlockStack& stack, const at::Tensor& columns,
                                const toy::StackSites& sites) {
  std::vector<at::Tensor> mids;
  for (const at::Tensor& mid : sites.mids) mids.push_back(mid.flatten(0, 1));
  return toy::patchedStack(stack, columns.flatten(0, 1), mids);
}

/// Mean over prompts of ⟨ΔW_s, ΔW_t⟩ / (‖ΔW_s‖ ‖ΔW_t‖) for tokens s and t: [N, N]. As
/// ΔW = u wᵀ has rank 1, this quotient equals cos(u_s, u_t) cos(w_s, w_t).
at::Tensor alignmentOf(const toy::BlockPatch& update, std::int64_t tokens) {
  const auto cosines = [&](const at::Tensor& factors) {
    const at::Tensor rows = factors.unflatten(0, {-1, tokens});
    const at::Tensor unit = rows / rows.norm(2, {2}, /*keepdim=*/true);
    return at::matmul(unit, unit.transpose(1, 2));
  };
  return (cosines(update.u) * cosines(update.w)).mean(0);
}

void plotDifferences(const toy::PatchedStack& patched, const toy::StackSites& sites,
                     Notebook& book) {
  LabPanel panel{.title = "Difference of the outputs by position",
                 .x = {"position in the prompt"},
                 .y = {"mean |difference|", "", LabScale::Logarithmic}};
  double largest = 0.0, sum = 0.0;
  for (std::size_t block = 0; block < sites.outs.size(); ++block) {
    const at::Tensor& out = sites.outs[block];  // [B, N, width]
    const at::Tensor difference =
        (patched.outs[block].view_as(out) - out).abs().to(at::kDouble);
    const toy::MeanCurve curve = toy::meanCurve(difference.mean(2));
    panel.curves.push_back({"block " + std::to_string(block + 1),
                            toy::integersFrom(1, curve.mean.size()), curve.mean,
                            curve.error});
    largest = maximum(largest, difference.max().item<double>());
    sum += difference.mean().item<double>();
  }
  book.plot(std::move(panel));
  book.addScalar({"mean difference over positions and blocks",
                  sum / static_cast<double>(sites.outs.size()), "", 1e-6});
  book.addScalar({"largest difference at any position of any block", largest, "", {}});
}

/// Leaves out the first token, which has no context and therefore no update.
void plotAlignment(const toy::BlockPatch& update, std::size_t block, std::int64_t tokens,
                   Notebook& book) {
  const at::Tensor all = alignmentOf(update, tokens).slice(0, 1).slice(1, 1);
  const std::vector<double> positions =
      toy::integersFrom(2, static_cast<std::size_t>(all.size(0)));
  book.plot({.title = "Alignment of the updates, block " + std::to_string(block + 1),
             .x = {"position"},
             .y = {"position"},
             .map = LabMap{.label = "inner product / norms",
                           .x = positions,
                           .y = positions,
                           .values = toy::toValues(all)}});
  const auto pairs = static_cast<double>(all.size(0) * (all.size(0) - 1));
  const double others = all.to(at::kDouble).sum().item<double>() -
                        all.to(at::kDouble).trace().item<double>();
  book.addScalar(
      {"mean alignment of two tokens' updates, block " + std::to_string(block + 1),
       others / pairs,
       "",
       {}});
}

void runPositions(const LabSettings& settings, Notebook& book) {
  const auto stack = makeStack(settings, book.seed());
  trainStack(*stack, settings, 0.95, book);
  const at::NoGradGuard noGradients;
  const toy::LinearTasks tasks = evaluationTasks(settings, book.seed());
  const toy::StackSites sites = toy::contextualSites(*stack, tasks.columns);
  book.advance(0.97, "Patching every token");
  const toy::PatchedStack patched = patchedTokens(*stack, tasks.columns, sites);
  plotDifferences(patched, sites, book);
  for (std::size_t block = 0; block < patched.updates.size(); ++block)
    plotAlignment(patched.updates[block], block, tasks.columns.size(1), book);
}

}  // namespace

Experiment positionsExperiment() {
  std::vector<LabSetting> settings = stackSettings();
  setDefault(settings, "blocks", std::int64_t{3}, std::int64_t{3});
  setDefault(settings, "tasks", std::int64_t{20}, std::int64_t{20});
  setDefault(settings, "steps", std::int64_t{800}, std::int64_t{20000});
  // The mean alignment needs at least two tokens with a context.
  for (LabSetting& setting : settings)
    if (setting.name == "pairs") setting.low = 2.0;
  return {.name = "positions",
          .title = "Every position has its update",
          .claim =
              "Every token of the sequence, not only the last one, has an update of the "
              "weights: with this update and without the context, every block gives the "
              "token the same output as with the context (arXiv 2512.11255).",
          .task = kLinearTask,
          .settings = settings,
          .run = runPositions};
}

}  // namespace equipatch

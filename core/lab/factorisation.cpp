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

/// Values after 0, 1, …, N tokens of one prompt are consumed, each [N + 1].
struct Consumed {
  at::Tensor difference;  ///< |output − output of W_0 with the whole context|
  at::Tensor change;      ///< ‖W_i − W_0‖_F
  at::Tensor rank;        ///< of W_i − W_0
};

/// @param suffixes [N + 1, width]
Consumed consume(const toy::InContextModel& model, const at::Tensor& suffixes) {
  const at::Tensor W_0 = model.mlp().W_in;
  const at::Tensor W = toy::factorisedUpdates(W_0, suffixes);
  const at::Tensor whole = model.answer(suffixes[0]);
  const at::Tensor change = W - W_0;
  return {(model.answerWith(W, suffixes) - whole).abs(),
          change.square().sum({1, 2}).sqrt(), at::linalg_matrix_rank(change)};
}

LabPanel panelOf(std::string title, LabAxis y, const std::vector<at::Tensor>& values) {
  const toy::MeanCurve curve = toy::meanCurve(at::stack(values).to(at::kDouble));
  return {.title = std::move(title),
          .x = {"tokens consumed, i"},
          .y = std::move(y),
          .curves = {{"mean of " + countText(values.size(), "prompt"),
                      toy::integersFrom(0, curve.mean.size()), curve.mean, curve.error}}};
}

void runFactorisation(const LabSettings& settings, Notebook& book) {
  const auto model = trainedModel(settings, 0.7, book);
  const at::NoGradGuard noGradients;
  const toy::LinearTasks tasks = evaluationTasks(settings, book.seed());
  const auto& layer = dynamic_cast<const toy::AttentionLayer&>(model->layer());
  const at::Tensor suffixes = layer.withSuffixes(tasks.columns);
  std::vector<at::Tensor> differences, changes, ranks;
  const std::int64_t count = suffixes.size(0);
  for (std::int64_t task = 0; task < count; ++task) {
    book.advance(0.7 + 0.3 * static_cast<double>(task) / static_cast<double>(count),
                 "Consuming tokens");
    const Consumed consumed = consume(*model, suffixes[task]);
    differences.push_back(consumed.difference);
    changes.push_back(consumed.change);
    ranks.push_back(consumed.rank);
    book.plot(panelOf("Output by tokens consumed",
                      {"mean |difference|", "", LabScale::Logarithmic}, differences));
    book.plot(panelOf("Size of the update", {"‖Wᵢ − W₀‖"}, changes));
    book.plot(panelOf("Rank of the update", {"rank of Wᵢ − W₀"}, ranks));
  }
  const at::Tensor all = at::stack(differences).to(at::kDouble);
  book.addScalar({"mean difference of the output, all tokens consumed",
                  all.select(1, -1).mean().item<double>(),
                  "",
                  {}});
  book.addScalar({"largest difference of the output", all.max().item<double>(), "", {}});
  book.addScalar({"mean rank of the update, all tokens consumed",
                  at::stack(ranks).select(1, -1).to(at::kDouble).mean().item<double>(),
                  "",
                  {}});
}

}  // namespace

Experiment factorisationExperiment() {
  std::vector<LabSetting> settings = regressionSettings();
  setDefault(settings, "tasks", std::int64_t{20}, std::int64_t{100});
  return {.name = "factorisation",
          .title = "The context, consumed token by token",
          .claim =
              "Consuming one token after another multiplies W by factors 1 + h A, and "
              "the output remains as with the whole context (Dherin et al., Appendix E).",
          .task = kLinearTask,
          .settings = settings,
          .run = runFactorisation};
}

}  // namespace equipatch

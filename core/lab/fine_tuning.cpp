// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lab/experiment.h"
#include "core/lab/regression.h"
#include "core/toy/implicit_update.h"
#include "core/toy/in_context_regression.h"
#include "core/toy/statistics.h"

namespace equipatch {
namespace {

/// Results of fine-tuning on the first i pairs: for each i a tensor [tasks].
struct Learned {
  std::vector<at::Tensor> losses;  ///< squared error of the query's answer, i = 0 … N
  std::vector<at::Tensor> alignments;  ///< of W − W_0 with the context's ΔW, i = 1 … N
};

at::Tensor squaredErrors(const at::Tensor& answers, const toy::LinearTasks& tasks) {
  return (answers - tasks.answers).square();
}

/// One pair (x, y) of each task as a query without context: (x, 0) [tasks, 1, d + 1],
/// with the answer y.
toy::LinearTasks pairAsQuery(const toy::LinearTasks& tasks, std::int64_t pair) {
  at::Tensor query = tasks.columns.slice(1, pair, pair + 1).clone();
  const at::Tensor answer = query.select(2, -1).squeeze(1).clone();
  query.select(2, -1).zero_();
  return {query, answer};
}

/// Each task's own W [tasks, m, n] after one step of stochastic gradient descent.
at::Tensor afterStep(const toy::InContextModel& model, const at::Tensor& W,
                     const toy::LinearTasks& query, double rate) {
  const at::Tensor z = model.layer().alone(query.columns).detach();
  const at::Tensor leaf = W.detach().requires_grad_(true);
  squaredErrors(model.answerWith(leaf, z), query).sum().backward();
  return (leaf.detach() - rate * leaf.grad());
}

Learned learn(const toy::InContextModel& model, const toy::LinearTasks& tasks,
              double rate, Notebook& book) {
  const at::Tensor W_0 = model.mlp().W_in.detach();
  const at::Tensor prefixes = model.layer().withPrefixes(tasks.columns).detach();
  const at::Tensor z = prefixes.select(1, 0);
  at::Tensor W = W_0.expand({tasks.columns.size(0), -1, -1});
  Learned learned;
  for (std::int64_t i = 0; i < prefixes.size(1); ++i) {
    learned.losses.push_back(squaredErrors(model.answerWith(W, z), tasks).detach());
    if (i > 0)
      learned.alignments.push_back(
          toy::alignment(W - W_0, toy::implicitUpdate(W_0, prefixes.select(1, i), z)));
    if (i + 1 == prefixes.size(1)) break;
    book.advance(
        0.85 + 0.15 * static_cast<double>(i) / static_cast<double>(prefixes.size(1)),
        "Fine-tuning");
    W = afterStep(model, W, pairAsQuery(tasks, i), rate);
  }
  return learned;
}

LabCurve curveOf(std::string name, const at::Tensor& values, std::int64_t first) {
  const toy::MeanCurve curve = toy::meanCurve(values);
  return {std::move(name), toy::integersFrom(first, curve.mean.size()), curve.mean,
          curve.error};
}

void runFineTuning(const LabSettings& settings, Notebook& book) {
  const auto model = trainedModel(settings, 0.85, book);
  const toy::LinearTasks tasks = evaluationTasks(settings, book.seed());
  const Learned learned = learn(*model, tasks, settings.number("tuning_rate"), book);
  const at::NoGradGuard noGradients;
  const at::Tensor prefixes = model->layer().withPrefixes(tasks.columns);
  const at::Tensor inContext =
      (model->answer(prefixes) - tasks.answers.unsqueeze(1)).square();
  const LabCurve implicit = curveOf("ΔW, from the context", inContext, 0);
  const LabCurve tuned = curveOf("fine-tuning of W", at::stack(learned.losses, 1), 0);
  const LabCurve inner = curveOf("mean", at::stack(learned.alignments, 1), 1);
  book.plot({.title = "Test loss by examples",
             .x = {"examples, i"},
             .y = {"squared error", "", LabScale::Logarithmic},
             .curves = {implicit, tuned}});
  book.plot({.title = "Alignment of the two updates",
             .x = {"examples, i"},
             .y = {"inner product / norms"},
             .curves = {inner}});
  book.addScalar({"test loss in context after all examples", implicit.y.back(), "", {}});
  book.addScalar({"test loss of fine-tuning after all examples", tuned.y.back(), "", {}});
  book.addScalar({"alignment after all examples", inner.y.back(), "", {}});
}

}  // namespace

Experiment fineTuningExperiment() {
  std::vector<LabSetting> settings = regressionSettings();
  settings.push_back(
      {"tuning_rate", "learning rate of fine-tuning", 1e-2, 1e-2, 0.0, 10.0});
  return {.name = "fine-tuning",
          .title = "Implicit updates and fine-tuning",
          .claim =
              "Stochastic gradient descent on W with the same examples lowers the test "
              "loss too, but by less than the context does (Dherin et al., Figure 4).",
          .task = kLinearTask,
          .settings = settings,
          .run = runFineTuning};
}

}  // namespace equipatch

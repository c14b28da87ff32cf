#include "core/lab/equality.h"

#include <algorithm>
#include <cmath>

#include "core/lab/regression.h"
#include "core/toy/in_context_regression.h"
#include "core/toy/statistics.h"
#include "core/toy/training.h"

namespace equipatch {
namespace {

constexpr double kGridEdge = 2.0;  // standard deviations of x
constexpr const char* kWithContext = "context and query, W";
constexpr const char* kPatched = "query alone, W + ΔW";

LabPanel lossPanel() {
  return {.title = "Validation loss",
          .x = {"training step"},
          .y = {"mean squared error", "", LabScale::Logarithmic},
          .curves = {{.name = kWithContext}, {.name = kPatched}}};
}

/// The last third of every curve.
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

/// Marks from −kGridEdge to kGridEdge, of which that in the middle is 0 and not nearly.
at::Tensor gridAxis(std::int64_t side, const at::TensorOptions& options) {
  const at::Tensor marks = at::arange(1 - side, side, 2, at::kDouble) *
                           (kGridEdge / static_cast<double>(side - 1));
  return marks.to(options);
}

/// The prompt once for each point, which stands in the query's place:
/// [grid · grid, N + 1, d + 1].
at::Tensor promptsOver(const at::Tensor& axis, const at::Tensor& columns) {
  const std::int64_t side = axis.size(0);
  at::Tensor prompts = columns.unsqueeze(0).expand({side * side, -1, -1}).contiguous();
  at::Tensor queries = prompts.select(1, -1);
  queries.zero_();
  queries.select(1, 0).copy_(axis.repeat({side}));
  if (columns.size(1) > 2) queries.select(1, 1).copy_(axis.repeat_interleave(side));
  return prompts;
}

/// Both ways of answering many prompts.
struct Answers {
  at::Tensor contextual, patched;  ///< [prompts]
  /// Where z = A(x) is 0, for which no ΔW exists.
  at::Tensor undefined;
};

Answers answersTo(const at::Tensor& prompts, const toy::InContextModel& model) {
  return {model.predict(prompts), model.predictPatched(prompts),
          (model.layer().alone(prompts) == 0).all(1)};
}

}  // namespace

LabSetting gridSetting() {
  return {"grid",
          "queries along each side of the map",
          std::int64_t{11},
          std::int64_t{21},
          2.0,
          201.0};
}

void trainComparing(toy::InContextModel& model, const LabSettings& settings, double share,
                    Notebook& book) {
  const toy::LinearTasks tasks = evaluationTasks(settings, book.seed());
  toy::Training training(
      model.parameters(),
      [&](const toy::LinearTasks& drawn) { return model.loss(drawn); },
      trainingPlan(settings, book.seed()));
  LabPanel panel = lossPanel();
  double context = 0.0, largest = 0.0;
  train(training, share, book, [&](std::int64_t steps, double) {
    const at::NoGradGuard noGradients;
    context = model.loss(tasks).item<double>();
    const double patched =
        at::mse_loss(model.predictPatched(tasks.columns), tasks.answers).item<double>();
    for (LabCurve& curve : panel.curves) curve.x.push_back(static_cast<double>(steps));
    panel.curves[0].y.push_back(context);
    panel.curves[1].y.push_back(patched);
    largest = std::max(largest, std::abs(patched - context) / context);
    book.draw(panel);
    book.draw(closeUp(panel));
  });
  book.tell({"validation loss after training", context, "", {}});
  book.tell(
      {"largest relative difference of the two validation losses", largest, "", {}});
}

void compareOverGrid(const toy::InContextModel& model, const LabSettings& settings,
                     double begin, double end, Notebook& book) {
  const at::NoGradGuard noGradients;
  const toy::LinearTasks tasks = evaluationTasks(settings, book.seed());
  const std::int64_t side = settings.count("grid"), count = tasks.columns.size(0);
  const at::Tensor axis = gridAxis(side, tasks.columns.options());
  at::Tensor sum = at::zeros({side * side}, at::kDouble), undefined;
  double largest = 0.0, size = 0.0;
  for (std::int64_t task = 0; task < count; ++task) {
    book.pass(
        begin + (end - begin) * static_cast<double>(task) / static_cast<double>(count),
        "Comparing outputs over the grid");
    const Answers answers = answersTo(promptsOver(axis, tasks.columns[task]), model);
    undefined = answers.undefined;
    const at::Tensor difference =
        (answers.patched - answers.contextual).abs().to(at::kDouble);
    sum += difference;
    largest =
        std::max(largest, difference.masked_fill(undefined, 0).max().item<double>());
    size += answers.contextual.abs().mean().item<double>() / static_cast<double>(count);
  }
  if (undefined.any().item<bool>())
    book.note(
        "Where the query alone gives z = 0 there is no ΔW, and the map has a gap: with "
        "attention at x = 0.");
  const std::vector<double> marks = toy::toValues(axis);
  const at::Tensor mean =
      (sum / static_cast<double>(count)).masked_fill(undefined, std::nan(""));
  const at::Tensor defined = mean.masked_select(undefined.logical_not());
  book.draw({.title = "Mean difference of the two outputs",
             .x = {"x₁"},
             .y = {"x₂"},
             .map = LabMap{.label = "mean |difference|",
                           .scale = LabScale::Linear,
                           .x = marks,
                           .y = marks,
                           .values = toy::toValues(mean)}});
  book.tell({"mean difference of the outputs over the grid",
             defined.mean().item<double>(), "", 1e-7});
  book.tell({"largest difference of the outputs over the grid", largest, "", {}});
  book.tell({"mean size of the output over the grid", size, "", {}});
}

}  // namespace equipatch

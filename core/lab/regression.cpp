// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lab/regression.h"

#include <algorithm>
#include <stdexcept>

#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/toy/block_stack.h"
#include "core/toy/implicit_update.h"
#include "core/toy/in_context_regression.h"
#include "core/toy/statistics.h"
#include "core/toy/training.h"

namespace equipatch {
namespace {

/// The number of `onProgress` calls that `train` aims for. The number of steps between
/// two calls is rounded down, so there can be up to twice as many calls.
constexpr std::int64_t kCallbacks = 100;

void requireHeads(const LabSettings& settings) {
  const std::int64_t width = settings.count("width"), heads = settings.count("heads");
  if (width % heads != 0)
    throw badInput("width: expected a multiple of the " + std::to_string(heads) +
                   " heads, found " + std::to_string(width));
}

}  // namespace

Random randomStream(std::uint64_t seed, LabStream stream) {
  return Random(seed, static_cast<std::uint64_t>(stream));
}

std::vector<LabSetting> regressionSettings() {
  const auto whole = [](const char* name, const char* meaning, std::int64_t quick,
                        std::int64_t paper, double high) {
    return LabSetting{name, meaning, quick, paper, 1.0, high};
  };
  return {whole("dimension", "d, elements of each x", 2, 2, 64),
          whole("pairs", "N, pairs (x, y) in a prompt", 100, 100, 1000),
          whole("heads", "attention heads, a divisor of width", 8, 8, 64),
          whole("width", "d_model", 32, 32, 1024),
          whole("mlp_width", "d_mlp, hidden size of the MLP", 128, 128, 4096),
          whole("steps", "training steps", 2000, 20000, 1e7),
          whole("batch", "prompts in a training step", 32, 32, 4096),
          {"rate", "Adam's learning rate", 2e-3, 1e-3, 0.0, 1.0},
          whole("tasks", "prompts for the evaluation", 100, 100, 4096),
          dtypeSetting()};
}

std::vector<LabSetting> stackSettings() {
  std::vector<LabSetting> settings = regressionSettings();
  settings.push_back(
      {"blocks", "blocks in the stack", std::int64_t{10}, std::int64_t{10}, 1.0, 100.0});
  settings.push_back({"warmup", "steps over which the learning rate rises",
                      std::int64_t{100}, std::int64_t{1000}, 0.0, 1e7});
  setDefault(settings, "pairs", std::int64_t{20}, std::int64_t{100});
  setDefault(settings, "steps", std::int64_t{400}, std::int64_t{20000});
  setDefault(settings, "tasks", std::int64_t{30}, std::int64_t{100});
  setDefault(settings, "batch", std::int64_t{16}, std::int64_t{32});
  setDefault(settings, "rate", 1e-3, 1e-3);
  return settings;
}

void setDefault(std::vector<LabSetting>& settings, const std::string& name,
                const LabValue& quick, const LabValue& paper) {
  const auto setting = std::ranges::find(settings, name, &LabSetting::name);
  if (setting == settings.end()) throw std::logic_error("no setting " + name);
  setting->quick = quick;
  setting->paper = paper;
}

void drop(std::vector<LabSetting>& settings, const std::string& name) {
  std::erase_if(settings, [&](const LabSetting& each) { return each.name == name; });
}

std::unique_ptr<toy::AttentionLayer> makeAttention(const LabSettings& settings,
                                                   std::uint64_t seed) {
  requireHeads(settings);
  Random random = randomStream(seed, LabStream::Layer);
  return std::make_unique<toy::AttentionLayer>(
      toy::AttentionShape{settings.count("dimension") + 1, settings.count("width"),
                          settings.count("heads")},
      random, toTorch(dtypeOf(settings)));
}

std::unique_ptr<toy::InContextModel> makeModel(
    std::unique_ptr<toy::ContextualLayer> layer, const LabSettings& settings,
    std::uint64_t seed) {
  Random random = randomStream(seed, LabStream::Mlp);
  const toy::MlpShape shape{settings.count("width"), settings.count("mlp_width"),
                            settings.count("dimension") + 1};
  return std::make_unique<toy::InContextModel>(
      std::move(layer), toy::Mlp(shape, random, toTorch(dtypeOf(settings))));
}

std::unique_ptr<toy::BlockStack> makeStack(const LabSettings& settings,
                                           std::uint64_t seed) {
  const toy::StackShape shape{.blocks = settings.count("blocks"),
                              .columnSize = settings.count("dimension") + 1,
                              .width = settings.count("width"),
                              .heads = settings.count("heads"),
                              .hidden = settings.count("mlp_width")};
  requireHeads(settings);
  Random random = randomStream(seed, LabStream::Layer);
  return std::make_unique<toy::BlockStack>(shape, random, toTorch(dtypeOf(settings)));
}

toy::TaskShape taskShape(const LabSettings& settings, std::int64_t tasks) {
  return {tasks, settings.count("pairs"), settings.count("dimension")};
}

toy::LinearTasks evaluationTasks(const LabSettings& settings, std::uint64_t seed) {
  Random random = randomStream(seed, LabStream::Evaluation);
  return toy::sampleTasks(random, taskShape(settings, settings.count("tasks")),
                          toTorch(dtypeOf(settings)));
}

toy::TrainingPlan trainingPlan(const LabSettings& settings, std::uint64_t seed) {
  return {.batch = taskShape(settings, settings.count("batch")),
          .steps = settings.count("steps"),
          .rate = settings.number("rate"),
          .seed = randomStream(seed, LabStream::Training).next(),
          .dtype = toTorch(dtypeOf(settings))};
}

void train(toy::Training& training, double share, Notebook& book,
           const TrainingCallback& onProgress) {
  const std::int64_t steps = training.plan().steps;
  const std::int64_t between = std::max<std::int64_t>(1, steps / kCallbacks);
  LabPanel panel{.title = "Training loss",
                 .x = {"training step"},
                 .y = {"mean squared error", "", LabScale::Logarithmic},
                 .curves = {{.name = "training"}}};
  double sum = 0.0;
  std::int64_t summed = 0;
  if (onProgress) onProgress(0, 0.0);
  while (!training.done()) {
    book.advance(
        share * static_cast<double>(training.taken()) / static_cast<double>(steps),
        "Training");
    sum += training.step();
    ++summed;
    if (training.taken() % between != 0 && !training.done()) continue;
    const double mean = sum / static_cast<double>(summed);
    panel.curves[0].x.push_back(static_cast<double>(training.taken()));
    panel.curves[0].y.push_back(mean);
    book.plot(panel);
    if (onProgress) onProgress(training.taken(), mean);
    sum = 0.0;
    summed = 0;
  }
}

void trainStack(const toy::BlockStack& stack, const LabSettings& settings, double share,
                Notebook& book, const TrainingCallback& onProgress) {
  toy::TrainingPlan plan = trainingPlan(settings, book.seed());
  plan.warmup = settings.count("warmup");
  toy::Training training(
      stack.parameters(),
      [&](const toy::LinearTasks& tasks) {
        return at::mse_loss(stack.predict(tasks.columns), tasks.answers);
      },
      plan);
  train(training, share, book, onProgress);
}

std::unique_ptr<toy::InContextModel> trainedModel(const LabSettings& settings,
                                                  double share, Notebook& book) {
  auto model = makeModel(makeAttention(settings, book.seed()), settings, book.seed());
  toy::Training training(
      model->parameters(),
      [&](const toy::LinearTasks& tasks) { return model->loss(tasks); },
      trainingPlan(settings, book.seed()));
  train(training, share, book);
  return model;
}

void plotUpdateSteps(const toy::InContextModel& model, const LabSettings& settings,
                     Notebook& book) {
  const at::NoGradGuard noGradients;
  const toy::LinearTasks tasks = evaluationTasks(settings, book.seed());
  const at::Tensor prefixes = model.layer().withPrefixes(tasks.columns);
  const toy::MeanCurve steps =
      toy::meanCurve(toy::updateSteps(model.mlp().W_in, prefixes));
  book.plot(
      {.title = "Change of ΔW with each further pair",
       .x = {"pairs in the context, i"},
       .y = {"‖(ΔW)ᵢ₊₁ − (ΔW)ᵢ‖", "", LabScale::Logarithmic},
       .curves = {{"mean of " + countText(std::size_t(tasks.columns.size(0)), "prompt"),
                   toy::integersFrom(0, steps.mean.size()), steps.mean, steps.error}}});
  book.addScalar({"change of ΔW by the first pair", steps.mean.front(), "", {}});
  book.addScalar({"change of ΔW by the last pair", steps.mean.back(), "", {}});
}

}  // namespace equipatch

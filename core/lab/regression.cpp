#include "core/lab/regression.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/toy/contextual_layer.h"
#include "core/toy/in_context_regression.h"
#include "core/toy/training.h"

namespace equipatch {
namespace {

constexpr std::int64_t kLooks = 100;

}  // namespace

std::vector<LabSetting> regressionSettings() {
  const auto whole = [](const char* name, const char* meaning, std::int64_t quick,
                        std::int64_t paper, double high) {
    return LabSetting{name, meaning, quick, paper, 1.0, high};
  };
  return {whole("dimension", "d, numbers of an x", 2, 2, 64),
          whole("pairs", "N, pairs of a prompt", 100, 100, 1000),
          whole("heads", "attention heads", 8, 8, 64),
          whole("width", "d_model, a multiple of the heads", 32, 32, 1024),
          whole("mlp_width", "d_mlp", 128, 128, 4096),
          whole("steps", "training steps", 2000, 20000, 1e7),
          whole("batch", "prompts of a training step", 32, 32, 4096),
          {"rate", "Adam's learning rate", 2e-3, 1e-3, 0.0, 1.0},
          whole("tasks", "prompts that are evaluated", 100, 100, 4096),
          dtypeSetting()};
}

void setDefault(std::vector<LabSetting>& settings, const std::string& name,
                const LabValue& quick, const LabValue& paper) {
  for (LabSetting& setting : settings)
    if (setting.name == name) {
      setting.quick = quick;
      setting.paper = paper;
    }
}

void drop(std::vector<LabSetting>& settings, const std::string& name) {
  std::erase_if(settings, [&](const LabSetting& each) { return each.name == name; });
}

Random randomOf(std::uint64_t seed, LabStream stream) {
  return Random(seed, static_cast<std::uint64_t>(stream));
}

void requireHeads(const LabSettings& settings) {
  const std::int64_t width = settings.count("width"), heads = settings.count("heads");
  if (width % heads != 0)
    throw badInput("width: expected a multiple of the " + std::to_string(heads) +
                   " heads, found " + std::to_string(width));
}

std::unique_ptr<toy::AttentionLayer> makeAttention(const LabSettings& settings,
                                                   std::uint64_t seed) {
  requireHeads(settings);
  Random random = randomOf(seed, LabStream::Layer);
  return std::make_unique<toy::AttentionLayer>(
      toy::AttentionShape{settings.count("dimension") + 1, settings.count("width"),
                          settings.count("heads")},
      random, toTorch(dtypeOf(settings)));
}

std::unique_ptr<toy::InContextModel> makeModel(
    std::unique_ptr<toy::ContextualLayer> layer, const LabSettings& settings,
    std::uint64_t seed) {
  Random random = randomOf(seed, LabStream::Mlp);
  const toy::MlpShape shape{settings.count("width"), settings.count("mlp_width"),
                            settings.count("dimension") + 1};
  return std::make_unique<toy::InContextModel>(
      std::move(layer), toy::Mlp(shape, random, toTorch(dtypeOf(settings))));
}

toy::TaskShape taskShape(const LabSettings& settings, std::int64_t tasks) {
  return {tasks, settings.count("pairs"), settings.count("dimension")};
}

toy::LinearTasks evaluationTasks(const LabSettings& settings, std::uint64_t seed) {
  Random random = randomOf(seed, LabStream::Evaluation);
  return toy::sampleTasks(random, taskShape(settings, settings.count("tasks")),
                          toTorch(dtypeOf(settings)));
}

toy::TrainingPlan trainingPlan(const LabSettings& settings, std::uint64_t seed) {
  return {.batch = taskShape(settings, settings.count("batch")),
          .steps = settings.count("steps"),
          .rate = settings.number("rate"),
          .seed = randomOf(seed, LabStream::Training).next(),
          .dtype = toTorch(dtypeOf(settings))};
}

void train(toy::Training& training, double share, Notebook& book,
           const TrainingLook& look) {
  const std::int64_t steps = training.plan().steps;
  const std::int64_t between = std::max<std::int64_t>(1, steps / kLooks);
  LabPanel panel{.title = "Training loss",
                 .x = {"training step"},
                 .y = {"mean squared error", "", LabScale::Logarithmic},
                 .curves = {{.name = "training"}}};
  double sum = 0.0;
  std::int64_t summed = 0;
  if (look) look(0, 0.0);
  while (!training.done()) {
    book.pass(share * static_cast<double>(training.taken()) / static_cast<double>(steps),
              "Training");
    sum += training.step();
    ++summed;
    if (training.taken() % between != 0 && !training.done()) continue;
    const double mean = sum / static_cast<double>(summed);
    panel.curves[0].x.push_back(static_cast<double>(training.taken()));
    panel.curves[0].y.push_back(mean);
    book.draw(panel);
    if (look) look(training.taken(), mean);
    sum = 0.0;
    summed = 0;
  }
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

}  // namespace equipatch

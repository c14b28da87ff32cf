#include "core/lab/stack_model.h"

#include "core/base/error.h"
#include "core/toy/block_stack.h"
#include "core/toy/training.h"

namespace equipatch {

std::vector<LabSetting> stackSettings() {
  std::vector<LabSetting> settings = regressionSettings();
  settings.push_back(
      {"blocks", "blocks of the stack", std::int64_t{10}, std::int64_t{10}, 1.0, 100.0});
  settings.push_back({"warmup", "steps in which the learning rate grows",
                      std::int64_t{100}, std::int64_t{1000}, 0.0, 1e7});
  setDefault(settings, "pairs", std::int64_t{20}, std::int64_t{100});
  setDefault(settings, "steps", std::int64_t{400}, std::int64_t{20000});
  setDefault(settings, "tasks", std::int64_t{30}, std::int64_t{100});
  setDefault(settings, "batch", std::int64_t{16}, std::int64_t{32});
  setDefault(settings, "rate", 1e-3, 1e-3);
  return settings;
}

std::unique_ptr<toy::BlockStack> makeStack(const LabSettings& settings,
                                           std::uint64_t seed) {
  const toy::StackShape shape{.blocks = settings.count("blocks"),
                              .columnSize = settings.count("dimension") + 1,
                              .width = settings.count("width"),
                              .heads = settings.count("heads"),
                              .hidden = settings.count("mlp_width")};
  requireHeads(settings);
  Random random = randomOf(seed, LabStream::Layer);
  return std::make_unique<toy::BlockStack>(shape, random, toTorch(dtypeOf(settings)));
}

void trainStack(const toy::BlockStack& stack, const LabSettings& settings, double share,
                Notebook& book, const TrainingLook& look) {
  toy::TrainingPlan plan = trainingPlan(settings, book.seed());
  plan.warmup = settings.count("warmup");
  toy::Training training(
      stack.parameters(),
      [&](const toy::LinearTasks& tasks) {
        return at::mse_loss(stack.predict(tasks.columns), tasks.answers);
      },
      plan);
  train(training, share, book, look);
}

}  // namespace equipatch

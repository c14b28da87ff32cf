// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <memory>
#include <vector>

#include "core/base/progress.h"
#include "core/kernel/bfloat16_product.h"
#include "core/record/export/output_file.h"
#include "core/text/tokenizer.h"
#include "trainer/commands/commands.h"
#include "trainer/vision/vision_files.h"
#include "trainer/vision/vision_trainer.h"

namespace equipatch {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kSceneSeed = 1;
constexpr std::uint64_t kHeldOutSceneSeed = 2;
constexpr std::int64_t kHeldOutScenes = 512;
constexpr std::int64_t kPrintEvery = 50;  // steps
constexpr std::int64_t kSaveStateEvery = 250;

struct TrainVisionOptions {
  std::string out;
  std::string state;
  VisionTrainingOptions training;
  std::int64_t stopAfter = 0;  ///< stop at this step; 0: train to the end
};

/// @param loss sum over the last `count` steps, which took `seconds`. After a resumption,
/// `count` may be less than kPrintEvery.
void print(const VisionTrainer& trainer, double loss, std::int64_t count, double seconds,
           const TrainVisionOptions& options) {
  const std::int64_t step = trainer.state().step;
  const auto steps = static_cast<double>(count);
  const auto perStep =
      static_cast<double>(options.training.shards * options.training.scenesPerShard);
  const double left =
      seconds / steps * static_cast<double>(options.training.schedule.steps - step);
  std::cout << "step " << step << std::fixed << std::setprecision(4) << "  loss "
            << loss / steps << std::setprecision(0) << "  " << steps * perStep / seconds
            << " scenes/s  " << left / 60 << " min left" << std::endl;
}

void saveVision(const TrainVisionOptions& options, const VisionTrainer& trainer,
                std::span<const SceneBatch> heldOut) {
  saveState(options.state, trainer.state());
  writeVisionModel(options.out, options.training.shape, trainer.state().parameters);
  std::cout << "  held-out loss " << std::setprecision(4) << trainer.loss(heldOut)
            << std::endl;
}

void trainVision(TrainVisionOptions options) {
  makeFolder(options.out);
  writeVisionTokenizer(options.out, kSceneSeed);
  const auto tokenizer = Tokenizer::open(options.out);
  options.training.shape.text.vocabulary = tokenizer->size();
  const SceneBatchMaker scenes({Split::Training, kSceneSeed}, tokenizer,
                               options.training.shape);
  const SceneBatchMaker heldOutScenes({Split::HeldOut, kHeldOutSceneSeed}, tokenizer,
                                      options.training.shape);
  std::vector<SceneBatch> heldOut;
  for (std::int64_t i = 0; i < kHeldOutScenes; i += options.training.scenesPerShard)
    heldOut.push_back(heldOutScenes.make(static_cast<std::uint64_t>(i),
                                         options.training.scenesPerShard));
  VisionTrainer trainer(options.training, scenes);
  if (fs::exists(options.state))
    trainer.resume(loadState(options.state, trainer.network().layout().size()));
  // Saving now fails before the first step if the file cannot be written.
  saveState(options.state, trainer.state());
  const std::int64_t steps = options.training.schedule.steps;
  const std::int64_t last =
      options.stopAfter > 0 ? std::min(options.stopAfter, steps) : steps;
  double loss = 0;
  std::int64_t count = 0;
  Stopwatch watch;
  while (trainer.state().step < last) {
    loss += trainer.step().loss;
    ++count;
    const std::int64_t step = trainer.state().step;
    if (step % kPrintEvery == 0) {
      print(trainer, loss, count, watch.milliseconds() / 1000, options);
      loss = 0;
      count = 0;
      watch = {};
    }
    if (step % kSaveStateEvery == 0 && step < last) saveVision(options, trainer, heldOut);
  }
  saveVision(options, trainer, heldOut);
}

}  // namespace

void addTrainVision(CLI::App& program, Action& action) {
  const auto options = std::make_shared<TrainVisionOptions>();
  VisionTrainingOptions& training = options->training;
  training.schedule.peak = 2e-3;
  // Without processor instructions for it, bfloat16 is far slower than float32.
  training.precision = multipliesBfloat16() ? Precision::Bfloat16 : Precision::Float32;
  CLI::App* command = program.add_subcommand(
      "train-vision", "Train the vision model, or resume an interrupted training");
  command->add_option("--out", options->out, "folder of the model")->required();
  command
      ->add_option("--state", options->state,
                   "file of the training's state; training resumes from it if it exists")
      ->required();
  command
      ->add_option("--stop-after", options->stopAfter,
                   "stop at this step; a later call resumes")
      ->transform(atLeastOne());
  command->add_option("--steps", training.schedule.steps, "steps in the whole training")
      ->required()
      ->transform(atLeastOne());
  command->add_option("--rate", training.schedule.peak, "largest learning rate")
      ->capture_default_str()
      ->check(positiveNumber());
  command->add_option("--shards", training.shards, "shards in a step")
      ->capture_default_str()
      ->transform(atLeastOne())
      ->check(atMost(kMostShards));
  constexpr std::uint64_t kMostScenes = 4096;  // their pixels alone take half a gigabyte
  command->add_option("--scenes", training.scenesPerShard, "scenes in a shard")
      ->capture_default_str()
      ->transform(atLeastOne())
      ->check(atMost(kMostScenes));
  command->add_option("--threads", training.threads)
      ->capture_default_str()
      ->transform(atLeastOne());
  command->callback(
      [options, &action] { action = [options] { trainVision(*options); }; });
}

}  // namespace equipatch

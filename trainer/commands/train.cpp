// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <vector>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/base/write_failure.h"
#include "core/text/tokenizer.h"
#include "trainer/commands/commands.h"
#include "trainer/training/trainer.h"
#include "trainer/training/training_files.h"
#include "trainer/vocabulary/tokenizer_files.h"

namespace equipatch {
namespace {

namespace fs = std::filesystem;

struct TrainOptions {
  std::string words;
  std::string out;
  std::string state;
  TrainingOptions training;
  std::int64_t stopAfter = 0;  ///< stop at this step; 0: train to the end
};

constexpr std::uint64_t kDocumentSeed = 1;
constexpr std::uint64_t kHeldOutSeed = 2;
constexpr std::uint64_t kHeldOutPerSkill = 64;  // documents
constexpr std::int64_t kReportEvery = 50;       // steps
constexpr std::int64_t kMeasureEvery = 500;
constexpr std::int64_t kSaveEvery = 250;

class HeldOutLoss {
 public:
  HeldOutLoss(const WordLists& lists, std::shared_ptr<const Tokenizer> tokenizer);

  /// Prints each skill's mean loss in nats, and appends a line to a CSV file.
  /// @throws Error{Resource} when the file cannot be written.
  void measure(const Trainer& trainer, const std::filesystem::path& file) const;

 private:
  std::map<Skill, std::vector<Batch>> m_batches;
};

HeldOutLoss::HeldOutLoss(const WordLists& lists,
                         std::shared_ptr<const Tokenizer> tokenizer) {
  const Generator generator(lists, Split::HeldOut, kHeldOutSeed);
  const BatchMaker maker(generator, std::move(tokenizer));
  for (int i = 0; i < kSkills; ++i)
    for (std::uint64_t number = 0; number < kHeldOutPerSkill; ++number) {
      const auto skill = static_cast<Skill>(i);
      m_batches[skill].push_back(maker.make(generator.document(skill, number)));
    }
}

void HeldOutLoss::measure(const Trainer& trainer,
                          const std::filesystem::path& file) const {
  const bool isNew = !std::filesystem::exists(file);
  std::ofstream stream(file, std::ios::app);
  if (isNew) {
    stream << "step,tokens,seconds";
    for (const auto& [skill, batches] : m_batches) stream << ',' << skillName(skill);
    stream << '\n';
  }
  const TrainingState& state = trainer.state();
  stream << state.step << ',' << state.tokens << ','
         << static_cast<std::int64_t>(state.seconds);
  for (const auto& [skill, batches] : m_batches) {
    const double loss = trainer.loss(batches);
    stream << ',' << loss;
    std::cout << "  " << skillName(skill) << ' ' << std::setprecision(3) << loss;
  }
  std::cout << std::endl;
  stream << '\n';
  if (!stream.flush()) throw writeFailed(file, "the file could not be written", "", 0);
}

/// Removes the measurements of steps after `step`, which the training repeats if it was
/// stopped between a measurement and the next save, or if it starts anew.
void dropLaterLines(const fs::path& file, std::int64_t step) {
  std::ifstream stream(file);
  std::string kept, line;
  if (!std::getline(stream, line)) return;
  kept = line + '\n';  // the names of the columns
  bool drops = false;
  while (std::getline(stream, line)) {
    const bool isLater = std::strtoll(line.c_str(), nullptr, 10) > step;
    drops = drops || isLater;
    if (!isLater) kept += line + '\n';
  }
  if (drops) writeText(file, kept);
}

/// Prints means over the steps since the last `print`, and the remaining time.
class Display {
 public:
  explicit Display(std::int64_t steps) : m_steps(steps) {}

  void add(const StepReport& report) {
    m_loss += report.loss;
    m_tokens += report.tokens;
    ++m_count;
  }

  void print(std::int64_t step) {
    const double seconds = m_watch.milliseconds() / 1000.0;
    const double left =
        seconds / static_cast<double>(m_count) * static_cast<double>(m_steps - step) / 60;
    std::cout << "step " << step << " of " << m_steps << std::fixed
              << std::setprecision(4) << "  loss "
              << m_loss / static_cast<double>(m_count) << std::setprecision(0) << "  "
              << static_cast<double>(m_tokens) / seconds << " tokens/s  " << left
              << " min left" << std::endl;
    *this = Display(m_steps);
  }

 private:
  std::int64_t m_steps;
  std::int64_t m_count = 0;
  std::int64_t m_tokens = 0;
  double m_loss = 0;
  Stopwatch m_watch;
};

void save(const TrainOptions& options, const Trainer& trainer) {
  saveState(options.state, trainer.state());
  writeModel(options.out, options.training.shape, trainer.state().parameters);
}

void train(TrainOptions options) {
  const WordLists lists = WordLists::read(options.words);
  const auto tokenizer = Tokenizer::open(options.out);
  options.training.shape.vocabulary = tokenizer->size();
  const Generator generator(lists, Split::Training, kDocumentSeed);
  const BatchMaker documents(generator, tokenizer);
  const HeldOutLoss heldOut(lists, tokenizer);
  Trainer trainer(options.training, documents);
  if (fs::exists(options.state))
    trainer.resume(loadState(options.state, trainer.network().layout().size()));
  // Saving now fails before the first step if a file cannot be written. It also updates
  // the model if an earlier call was stopped inside `save`.
  save(options, trainer);
  const fs::path losses = fs::path(options.out) / "held-out-loss.csv";
  dropLaterLines(losses, trainer.state().step);
  const std::int64_t steps = options.training.schedule.steps;
  const std::int64_t last =
      options.stopAfter > 0 ? std::min(options.stopAfter, steps) : steps;
  Display display(steps);
  while (trainer.state().step < last) {
    display.add(trainer.step());
    const std::int64_t step = trainer.state().step;
    if (step % kReportEvery == 0) display.print(step);
    // Measure before saving: a training that resumes from a state does not measure the
    // step of that state again.
    if (step % kMeasureEvery == 0 || step == last) heldOut.measure(trainer, losses);
    if (step % kSaveEvery == 0 || step == last) save(options, trainer);
  }
}

void addTrainingOptions(CLI::App& command, TrainingOptions& training) {
  command.add_option("--steps", training.schedule.steps, "steps in the whole training")
      ->required()
      ->transform(atLeastOne());
  command.add_option("--rate", training.schedule.peak, "largest learning rate")
      ->capture_default_str()
      ->check(positiveNumber());
  command.add_option("--shards", training.shards, "shards in a step")
      ->capture_default_str()
      ->transform(atLeastOne())
      ->check(atMost(kMostShards));
  constexpr std::uint64_t kMostTokens = 65'536;  // several gigabytes of activations
  command.add_option("--tokens", training.tokensPerShard, "tokens in a shard")
      ->capture_default_str()
      ->transform(atLeastOne())
      ->check(atMost(kMostTokens));
  command.add_option("--threads", training.threads)
      ->capture_default_str()
      ->transform(atLeastOne());
  command.add_option("--layers", training.shape.layers)
      ->capture_default_str()
      ->transform(atLeastOne());
  command.add_option("--width", training.shape.width)
      ->capture_default_str()
      ->transform(atLeastOne());
  command.add_option("--mlp-width", training.shape.mlpWidth)
      ->capture_default_str()
      ->transform(atLeastOne());
}

}  // namespace

void addTrain(CLI::App& program, Action& action) {
  const auto options = std::make_shared<TrainOptions>();
  CLI::App* command =
      program.add_subcommand("train", "Train, or resume an interrupted training");
  command->add_option("--words", options->words, "folder of word lists")->required();
  command->add_option("--out", options->out, "folder of the model")->required();
  command
      ->add_option("--state", options->state,
                   "file of the training's state; training resumes from it if it exists")
      ->required();
  command
      ->add_option("--stop-after", options->stopAfter,
                   "stop at this step; a later call resumes")
      ->transform(atLeastOne());
  addTrainingOptions(*command, options->training);
  command->callback([options, &action] { action = [options] { train(*options); }; });
}

}  // namespace equipatch

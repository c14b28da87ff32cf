// SPDX-License-Identifier: GPL-3.0-or-later
#include <filesystem>
#include <iostream>
#include <memory>

#include "core/record/export/output_file.h"
#include "trainer/commands/commands.h"
#include "trainer/scenes/drawing.h"
#include "trainer/scenes/questions.h"
#include "trainer/vocabulary/tokenizer_files.h"

namespace equipatch {
namespace {

namespace fs = std::filesystem;

struct SceneOptions {
  std::string out;
  std::uint64_t seed = 1;
  std::uint64_t count = 20;
  bool heldOut = false;
};

void showScenes(const SceneOptions& options) {
  const SceneGenerator generator(options.heldOut ? Split::HeldOut : Split::Training,
                                 options.seed);
  makeFolder(options.out);
  for (std::uint64_t number = 0; number < options.count; ++number) {
    const Scene scene = generator.scene(number);
    const std::string file = std::to_string(number) + ".png";
    writeText(fs::path(options.out) / file, pngOf(drawScene(scene)));
    std::cout << file << '\n';
    Random random(scene.seed);
    for (int i = 0; i < kQuestionKinds; ++i)
      if (const auto question = ask(static_cast<QuestionKind>(i), scene, random))
        std::cout << "  " << question->text << question->answer << '\n';
  }
}

}  // namespace

void addScenes(CLI::App& program, Action& action) {
  const auto options = std::make_shared<SceneOptions>();
  CLI::App* command = program.add_subcommand(
      "scenes", "Draw scenes, and print questions about them with their answers");
  command->add_option("--out", options->out, "folder for the images")->required();
  command->add_option("--seed", options->seed, "seed of the scenes")
      ->capture_default_str()
      ->transform(wholeNumber());
  command->add_option("--count", options->count, "scenes to draw")
      ->capture_default_str()
      ->transform(wholeNumber());
  command->add_flag("--held-out", options->heldOut, "scenes of the held-out split");
  command->callback([options, &action] { action = [options] { showScenes(*options); }; });
}

}  // namespace equipatch

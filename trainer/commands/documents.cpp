#include <iostream>
#include <memory>

#include "trainer/commands/commands.h"
#include "trainer/documents/generator.h"

namespace equipatch {
namespace {

struct DocumentsOptions {
  std::string words;
  std::uint64_t seed = 1;
  std::uint64_t count = 20;
  bool heldOut = false;
};

void show(const DocumentsOptions& options) {
  const WordLists lists = WordLists::read(options.words);
  const Generator generator(lists, options.heldOut ? Split::HeldOut : Split::Training,
                            options.seed);
  for (std::uint64_t i = 0; i < options.count; ++i) {
    const Document document = generator.document(i);
    std::cout << '[' << skillName(document.skill) << "] " << document.text << "\n\n";
  }
}

}  // namespace

void addDocuments(CLI::App& program, Action& action) {
  const auto options = std::make_shared<DocumentsOptions>();
  CLI::App* command = program.add_subcommand("documents", "Show what is trained on");
  command->add_option("--words", options->words, "folder of word lists")->required();
  command->add_option("--seed", options->seed)->capture_default_str();
  command->add_option("--count", options->count)->capture_default_str();
  command->add_flag("--held-out", options->heldOut, "those that nothing is learned from");
  command->callback([options, &action] { action = [options] { show(*options); }; });
}

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the two bundled models: generates documents and scenes, learns a vocabulary, and
// trains and evaluates the models.
#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>
#include <new>
#include <string>

#include "core/base/error.h"
#include "core/base/machine.h"
#include "core/base/write_failure.h"
#include "trainer/commands/commands.h"

namespace {

/// Prints `sentence` on one line: an Error's text contains no line breaks.
int printError(const std::string& sentence, int exitCode) {
  std::cerr << "error: " << equipatch::badInput(sentence).what() << '\n';
  return exitCode;
}

void refuseEmptyValues(CLI::App& program) {
  const CLI::Validator isGiven(
      [](const std::string& value) {
        return std::string(value.empty() ? "the value is empty" : "");
      },
      "");
  for (CLI::App* command : program.get_subcommands({}))
    for (CLI::Option* option : command->get_options())
      if (option->get_items_expected_max() > 0) option->check(isGiven);
}

}  // namespace

int main(int argc, char** argv) {
  equipatch::surviveFileSizeLimit();
  CLI::App program("Makes the two models that come with Equipatch", "equipatch-trainer");
  program.require_subcommand(1);
  equipatch::Action action;
  equipatch::addDocuments(program, action);
  equipatch::addVocabulary(program, action);
  equipatch::addTrain(program, action);
  equipatch::addEvaluate(program, action);
  equipatch::addScenes(program, action);
  equipatch::addTrainVision(program, action);
  refuseEmptyValues(program);
  try {
    program.parse(argc, argv);
    // Every training step allocates its activations again.
    const equipatch::MallocRetention retention;
    action();
    std::cout.flush();
    if (!std::cout) throw equipatch::outputFailed("the output could not be written");
    return 0;
  } catch (const CLI::ParseError& error) {
    const bool isHelp = error.get_exit_code() == 0;  // --help
    return isHelp ? program.exit(error) : printError(error.what(), error.get_exit_code());
  } catch (const std::bad_alloc&) {
    return printError(
        "memory ran out; close other programs, or choose a smaller network, fewer "
        "shards, or fewer tokens or scenes in a shard",
        1);
  } catch (const std::exception& error) {
    return printError(error.what(), 1);
  }
}

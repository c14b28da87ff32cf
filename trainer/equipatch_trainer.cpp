// The trainer: writes documents, learns a vocabulary, trains and examines the bundled
// model.
#include <malloc.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>

#include "trainer/commands/commands.h"

namespace {

/// Activations come and go at every step. Given back to the system each time, most of a
/// step would be spent on page faults.
void keepMemory() {
  constexpr int kLargest = 1 << 30;
  mallopt(M_MMAP_THRESHOLD, kLargest);
  mallopt(M_TRIM_THRESHOLD, kLargest);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App program("Trains the model that comes with Equipatch", "equipatch-trainer");
  program.require_subcommand(1);
  equipatch::Action action;
  equipatch::addDocuments(program, action);
  equipatch::addVocabulary(program, action);
  equipatch::addTrain(program, action);
  equipatch::addEvaluate(program, action);
  CLI11_PARSE(program, argc, argv);
  try {
    keepMemory();
    action();
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << '\n';
    return 1;
  }
}

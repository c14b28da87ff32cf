// SPDX-License-Identifier: GPL-3.0-or-later
// Generates documents, learns a vocabulary, trains the bundled model and evaluates it.
#include <malloc.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>

#include "trainer/commands/commands.h"

namespace {

/// Keeps freed memory in the process: activations are allocated in every step, and
/// returning them to the system would spend most of a step on page faults.
void keepFreedMemory() {
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
    keepFreedMemory();
    action();
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << '\n';
    return 1;
  }
}

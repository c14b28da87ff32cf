// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace equipatch {

/// Set by the chosen subcommand; main runs it after parsing.
using Action = std::function<void()>;

/// For an option that counts things of which the command needs at least one.
inline CLI::Range atLeastOne() {
  return {1, 1'000'000};
}

void addDocuments(CLI::App& program, Action& action);
void addVocabulary(CLI::App& program, Action& action);
void addTrain(CLI::App& program, Action& action);
void addScenes(CLI::App& program, Action& action);
void addTrainVision(CLI::App& program, Action& action);
void addEvaluate(CLI::App& program, Action& action);

}  // namespace equipatch

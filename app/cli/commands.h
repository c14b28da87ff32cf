// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace equipatch::cli {

/// Runs the chosen subcommand after parsing. @returns the exit code.
/// @throws Error or CLI::Error, which main reports.
using Action = std::function<int()>;

// Each function adds one subcommand, which sets `action` if the user chooses it. Both
// arguments must outlive the parsing.
void addModels(CLI::App& program, Action& action);
void addGet(CLI::App& program, Action& action);
void addInspect(CLI::App& program, Action& action);
void addTokenize(CLI::App& program, Action& action);
void addDecode(CLI::App& program, Action& action);
void addLogits(CLI::App& program, Action& action);
void addImageMap(CLI::App& program, Action& action);
void addCompare(CLI::App& program, Action& action);
void addSweep(CLI::App& program, Action& action);
void addRuns(CLI::App& program, Action& action);
void addLabel(CLI::App& program, Action& action);
void addDiff(CLI::App& program, Action& action);
void addExport(CLI::App& program, Action& action);
void addParity(CLI::App& program, Action& action);
void addBench(CLI::App& program, Action& action);
void addLab(CLI::App& program, Action& action);
void addLesson(CLI::App& program, Action& action);

}  // namespace equipatch::cli

#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace equipatch::cli {

/// What the chosen subcommand does once all arguments are known; returns the exit code.
using Action = std::function<int()>;

/// Each adds one subcommand to `program` that puts what it does into `action` when it is
/// chosen. Both outlive the parsing.
void addModels(CLI::App& program, Action& action);
void addInspect(CLI::App& program, Action& action);
void addTokenize(CLI::App& program, Action& action);
void addDecode(CLI::App& program, Action& action);
void addLogits(CLI::App& program, Action& action);
void addCompare(CLI::App& program, Action& action);
void addSweep(CLI::App& program, Action& action);
void addDiff(CLI::App& program, Action& action);
void addExport(CLI::App& program, Action& action);
void addParity(CLI::App& program, Action& action);
void addBench(CLI::App& program, Action& action);
void addLab(CLI::App& program, Action& action);

}  // namespace equipatch::cli

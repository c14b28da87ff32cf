// SPDX-License-Identifier: GPL-3.0-or-later
// The command line, without Qt. The subcommands are in app/cli.
#include <CLI/CLI.hpp>
#include <iostream>

#include "app/cli/commands.h"
#include "app/usage/help.h"
#include "app/usage/misuse.h"
#include "app/usage/pages.h"
#include "app/usage/program_table.h"
#include "cli_manual.h"
#include "core/base/write_failure.h"
#include "core/work/worker.h"

namespace {

/// Adds the subcommands. The chosen one sets the action.
void addAll(CLI::App& program, equipatch::cli::Action& action) {
  using namespace equipatch::cli;
  program.set_version_flag("--version", EQUIPATCH_VERSION, "print the version and exit");
  program.require_subcommand(1);
  equipatch::usage::formatHelp(program);
  addModels(program, action);
  addGet(program, action);
  addInspect(program, action);
  addTokenize(program, action);
  addDecode(program, action);
  addLogits(program, action);
  addImageMap(program, action);
  addCompare(program, action);
  addSweep(program, action);
  addRuns(program, action);
  addLabel(program, action);
  addDiff(program, action);
  addExport(program, action);
  addParity(program, action);
  addBench(program, action);
  addLab(program, action);
  addLesson(program, action);
  equipatch::usage::refuseEmptyPaths(program);
}

int run(CLI::App& program, const equipatch::cli::Action& action, int argc, char** argv) {
  int exitCode = 0;
  try {
    program.parse(argc, argv);
    exitCode = action();
  } catch (const CLI::Success& help) {  // --help, --version
    exitCode = program.exit(help);
  }
  std::cout.flush();
  if (!std::cout) throw equipatch::outputFailed("the output could not be written");
  return exitCode;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace equipatch;
  surviveFileSizeLimit();
  try {
    CLI::App program(
        "Shows that a prompt acts on a transformer as a small patch of its weights",
        "equipatch-cli");
    cli::Action action;
    addAll(program, action);
    const auto table = [&program] { return usage::tableOf(program); };
    if (const auto exitCode = usage::printPage(argc, argv, table, kCliManual))
      return *exitCode;
    try {
      return run(program, action, argc, argv);
    } catch (const CLI::ParseError& error) {
      return usage::printError(usage::misuseOf(program, error, argc, argv), kExitMisused);
    }
  } catch (...) {
    return usage::printError(currentError("equipatch-cli").what(), kExitFailed);
  }
}

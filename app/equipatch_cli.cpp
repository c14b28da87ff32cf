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
  using namespace equipatch::cli;
  using namespace equipatch::usage;
  equipatch::surviveFileSizeLimit();
  CLI::App program(
      "Shows that a prompt acts on a transformer as a small patch of its weights",
      "equipatch-cli");
  program.set_version_flag("--version", EQUIPATCH_VERSION, "print the version and exit");
  program.require_subcommand(1);
  formatHelp(program);
  Action action;
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
  refuseEmptyPaths(program);
  const auto table = [&program] { return tableOf(program); };
  if (const auto exitCode = printPage(argc, argv, table, kCliManual)) return *exitCode;
  try {
    return run(program, action, argc, argv);
  } catch (const CLI::ParseError& error) {
    return printError(misuseOf(program, error, argc, argv), equipatch::kExitMisused);
  } catch (...) {
    return printError(equipatch::currentError("equipatch-cli").what(),
                      equipatch::kExitFailed);
  }
}

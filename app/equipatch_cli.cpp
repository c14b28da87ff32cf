// SPDX-License-Identifier: GPL-3.0-or-later
// The command line, without Qt. The subcommands are in app/cli.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <optional>

#include "app/cli/commands.h"
#include "app/usage/exit_code.h"
#include "app/usage/pages.h"
#include "app/usage/program_table.h"
#include "cli_manual.h"
#include "core/base/error.h"
#include "core/work/job_execution.h"

namespace {

/// Prints an error as one line, on which scripts rely.
int printError(std::string sentence, int exitCode) {
  std::replace(sentence.begin(), sentence.end(), '\n', ' ');
  std::cerr << "error: " << sentence << std::endl;
  return exitCode;
}

/// The error message when the first argument is not a command.
std::optional<std::string> unknownCommand(const CLI::App& program, int argc,
                                          char** argv) {
  const std::string word = argc > 1 ? argv[1] : "";
  if (word.empty() || word.front() == '-') return std::nullopt;
  std::string names;
  for (const CLI::App* command : program.get_subcommands({})) {
    if (command->check_name(word)) return std::nullopt;
    names += (names.empty() ? "" : ", ") + command->get_name();
  }
  return "there is no command " + equipatch::inQuotes(word) + "; expected one of " +
         names;
}

int run(CLI::App& program, const equipatch::cli::Action& action, int argc, char** argv) {
  program.parse(argc, argv);
  const int exitCode = action();
  std::cout.flush();
  if (!std::cout)
    throw equipatch::Error(equipatch::ErrorKind::Resource,
                           "the output could not be written; is the disk full?");
  return exitCode;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace equipatch::cli;
  CLI::App program(
      "Shows that a prompt acts on a transformer as a small patch of its weights",
      "equipatch-cli");
  program.set_version_flag("--version", EQUIPATCH_VERSION);
  program.require_subcommand(1);
  Action action;
  addModels(program, action);
  addInspect(program, action);
  addTokenize(program, action);
  addDecode(program, action);
  addLogits(program, action);
  addCompare(program, action);
  addSweep(program, action);
  addDiff(program, action);
  addExport(program, action);
  addParity(program, action);
  addBench(program, action);
  addLab(program, action);
  const auto table = [&program] { return equipatch::usage::tableOf(program); };
  if (const auto exitCode = equipatch::usage::printPage(argc, argv, table, kCliManual))
    return *exitCode;
  try {
    return run(program, action, argc, argv);
  } catch (const CLI::ParseError& error) {
    const bool asked = error.get_exit_code() == 0;  // --help, --version
    if (asked) return program.exit(error);
    return printError(unknownCommand(program, argc, argv).value_or(error.what()),
                      equipatch::kExitMisused);
  } catch (...) {
    return printError(equipatch::currentError("equipatch-cli").what(),
                      equipatch::kExitFailed);
  }
}

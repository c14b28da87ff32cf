#pragma once

#include <CLI/CLI.hpp>

#include "app/usage/program_table.h"

namespace equipatch::usage {

/// The options and commands of `program` that its help shows, in its order.
ProgramTable tableOf(const CLI::App& program);

/// `app`, a subcommand, with the options of its groups.
CommandEntry commandOf(const CLI::App& app);

}  // namespace equipatch::usage

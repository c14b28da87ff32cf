#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "app/usage/program_table.h"

namespace equipatch::usage {

/// `PROGRAM --completion bash|zsh` and `PROGRAM --manual`: prints the page, for which
/// packages call the program when they are built. Help does not list them, the manual
/// page does.
/// @param table called when a page is asked for
/// @param sections of the manual page, see `manualPage`
/// @returns the exit code; nothing when the first argument is neither
std::optional<int> printPage(int argc, char** argv,
                             const std::function<ProgramTable()>& table,
                             std::string_view sections);

}  // namespace equipatch::usage

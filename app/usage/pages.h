#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "app/usage/program_table.h"

namespace equipatch::usage {

/// A script that bash sources, or finds in its folder of completions.
std::string bashCompletion(const ProgramTable& table);

/// A function that zsh loads by the name _PROGRAM.
std::string zshCompletion(const ProgramTable& table);

/// A page for man, in ASCII.
/// @param sections what is around the options, which take the place of its line
///        `.\" OPTIONS`: roff, written by hand
std::string manualPage(const ProgramTable& table, std::string_view sections);

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

#pragma once

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

}  // namespace equipatch::usage

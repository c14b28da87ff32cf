// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "app/usage/program_table.h"

namespace equipatch::usage {

/// A completion script for bash, to be sourced or installed.
std::string bashCompletion(const ProgramTable& table);

/// A completion function for zsh, to be installed as the file _PROGRAM or sourced.
std::string zshCompletion(const ProgramTable& table);

/// A manual page in roff. Non-ASCII characters of descriptions are escaped.
/// @param sections the other sections in roff, with the line `.\" OPTIONS` where the
///        options belong; without this line the options come first
std::string manualPage(const ProgramTable& table, std::string_view sections);

/// `PROGRAM --completion bash|zsh` and `PROGRAM --manual`: prints the script or the
/// manual page.
/// @param table called only when the first argument is --completion or --manual
/// @param sections see `manualPage`
/// @returns the exit code; nothing if the first argument is neither
///          --completion nor --manual
std::optional<int> printPage(int argc, char** argv,
                             const std::function<ProgramTable()>& table,
                             std::string_view sections);

}  // namespace equipatch::usage

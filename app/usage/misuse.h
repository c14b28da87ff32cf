// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Error;
}  // namespace CLI

namespace equipatch::usage {

/// The commands of equipatch-cli, which `equipatch` points to.
inline constexpr std::array<std::string_view, 12> kCliCommands{
    "models", "inspect", "tokenize", "decode", "logits", "compare",
    "sweep",  "diff",    "export",   "parity", "bench",  "lab"};

/// Prints "error: " and the sentence as one line, on which scripts rely.
/// @returns the exit code
int printError(const std::string& sentence, int exitCode);

/// "; did you mean --steps?": the candidate at most two letters away; empty without one.
std::string didYouMean(const std::string& word,
                       const std::vector<std::string>& candidates);

/// What is wrong with the arguments that `program` refused: the unknown command or option
/// if there is one, else what CLI11 says.
std::string misuseOf(const CLI::App& program, const CLI::Error& error, int argc,
                     char** argv);

}  // namespace equipatch::usage

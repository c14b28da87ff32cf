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

namespace equipatch {

// Exit codes that both programs use.

constexpr int kExitFailed = 1;
constexpr int kExitMisused = 2;  ///< the command line itself is wrong

}  // namespace equipatch

namespace equipatch::usage {

/// The commands of equipatch-cli. If one is the first argument of `equipatch`, and no
/// file or folder has its name, the error names equipatch-cli.
inline constexpr std::array<std::string_view, 17> kCliCommands{
    "models",    "get",     "inspect", "tokenize", "decode", "logits",
    "image-map", "compare", "sweep",   "runs",     "label",  "diff",
    "export",    "parity",  "bench",   "lab",      "lesson"};

/// Prints "error: SENTENCE" as one line on standard error; scripts rely on this form.
/// @returns `exitCode`, for main to return
int printError(const std::string& sentence, int exitCode);

/// "; did you mean --steps?" with the nearest candidate; empty when none is near. A
/// candidate is near if it is at most two edits away from the word, and these edits are
/// fewer than half the letters of the shorter of the two.
std::string didYouMean(const std::string& word,
                       const std::vector<std::string>& candidates);

/// What is wrong with the arguments that `program` refused: the unknown command, else the
/// unknown option, else the unexpected argument, with advice; if there is none of these,
/// CLI11's message and, where an argument is missing, what to do.
std::string misuseOf(const CLI::App& program, const CLI::Error& error, int argc,
                     char** argv);

}  // namespace equipatch::usage

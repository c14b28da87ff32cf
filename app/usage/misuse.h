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

// Exit codes of both programs.

constexpr int kExitFailed = 1;
constexpr int kExitMisused = 2;  ///< the command line itself is wrong

}  // namespace equipatch

namespace equipatch::usage {

/// The commands of equipatch-cli.
inline constexpr std::array<std::string_view, 17> kCliCommands{
    "models",    "get",     "inspect", "tokenize", "decode", "logits",
    "image-map", "compare", "sweep",   "runs",     "label",  "diff",
    "export",    "parity",  "bench",   "lab",      "lesson"};

/// Prints "error: SENTENCE" as one line on standard error; scripts rely on this form.
/// @returns `exitCode`
int printError(const std::string& sentence, int exitCode);

/// "; did you mean --steps?" with the nearest candidate; empty if every candidate needs
/// more than two edits, or at least half as many edits as the shorter word has letters.
std::string didYouMean(const std::string& word,
                       const std::vector<std::string>& candidates);

/// A sentence that says why `program` refused its arguments: it names an unknown command,
/// option or argument or, if there is none, describes `error`.
std::string misuseOf(const CLI::App& program, const CLI::Error& error, int argc,
                     char** argv);

}  // namespace equipatch::usage

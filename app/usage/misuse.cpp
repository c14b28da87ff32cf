// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/usage/misuse.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <numeric>
#include <optional>

#include "app/usage/program_table.h"
#include "core/base/error.h"
#include "core/base/strings.h"

namespace equipatch::usage {
namespace {

constexpr std::size_t kMostEdits = 2;

/// The Damerau–Levenshtein distance (optimal string alignment).
std::size_t editsBetween(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> edits(a.size() + 1,
                                              std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        edits[i][j] = i + j;
        continue;
      }
      const std::size_t replaced = edits[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      edits[i][j] = std::min({replaced, edits[i - 1][j] + 1, edits[i][j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        edits[i][j] = std::min(edits[i][j], edits[i - 2][j - 2] + 1);
    }
  return edits[a.size()][b.size()];
}

/// The number of characters after the leading dashes.
std::size_t lettersOf(const std::string& word) {
  return word.size() - std::min(word.find_first_not_of('-'), word.size());
}

std::optional<std::string> unknownCommand(const CLI::App& program, int argc,
                                          char** argv) {
  const std::string word = argc > 1 ? argv[1] : "";
  if (word.empty() || word.front() == '-') return std::nullopt;
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands({})) {
    if (command->check_name(word)) return std::nullopt;
    names.push_back(command->get_name());
  }
  const std::string sentence = "there is no command " + inQuotes(word);
  if (word == "figure") return sentence + " here; \"equipatch figure\" draws figures";
  return sentence + "; expected one of " + joined(names) + didYouMean(word, names);
}

bool looksLikeOption(const std::string& word) {
  const bool isNumber = word.size() > 1 && word[1] >= '0' && word[1] <= '9';
  return word.size() > 1 && word.front() == '-' && !isNumber;
}

/// The program and, if the arguments name one, its command: "equipatch-cli compare".
std::string callOf(const CLI::App& program) {
  const auto parsed = program.get_subcommands();
  return program.get_name() + (parsed.empty() ? "" : " " + parsed.front()->get_name());
}

/// A sentence about the first option that CLI11 did not recognise or, without such an
/// option, about the first argument that CLI11 did not recognise.
std::optional<std::string> unknownArgument(const CLI::App& program) {
  std::vector<std::string> left = program.remaining(true);
  std::erase(left, "--");  // CLI11 keeps this end-of-options marker
  if (left.empty()) return std::nullopt;
  const auto parsed = program.get_subcommands();
  const CLI::App& command = parsed.empty() ? program : *parsed.front();
  const std::string call = callOf(program);
  const auto option = std::ranges::find_if(left, looksLikeOption);
  if (option == left.end()) {
    const bool isRun =
        left.front().ends_with(".eqrun") && command.get_option_no_throw("--run");
    return "unexpected argument " + inQuotes(left.front()) + "; " +
           (isRun ? "run files follow --run: --run A.eqrun B.eqrun"
                  : "\"" + call + " --help\" shows what " + call + " takes");
  }
  const std::string name = option->substr(0, option->find('='));
  std::vector<std::string> known;
  for (const OptionEntry& entry : commandOf(command).options)
    known.insert(known.end(), entry.names.begin(), entry.names.end());
  const std::string near = didYouMean(name, known);
  return call + " has no option " + inQuotes(name) +
         (near.empty() ? "; \"" + call + " --help\" lists its options" : near);
}

/// What to do about a missing argument; empty for other errors.
std::string adviceFor(const CLI::App& program, const CLI::Error& error) {
  if (error.get_name() != "RequiredError") return {};
  if (std::string_view(error.what()).starts_with("--model "))
    return "; for example --model bundled; \"equipatch-cli models\" lists all models";
  const std::string call = callOf(program);
  return "; \"" + call + " --help\" shows what " + call + " takes";
}

std::string ownWords(const std::string& sentence) {
  constexpr std::string_view kOneOf = "Exactly 1 option from [", kEnd = "] is required";
  if (sentence == "A subcommand is required") return "a command is needed";
  const std::size_t end = sentence.find(kEnd);
  if (!sentence.starts_with(kOneOf) || end == std::string::npos) return sentence;
  std::string options = sentence.substr(kOneOf.size(), end - kOneOf.size());
  for (std::size_t at = 0; (at = options.find(',', at)) != std::string::npos; at += 2)
    options.replace(at, 1, ", ");
  return sentence.ends_with(kEnd) ? "one of " + options + " is needed"
                                  : "only one of " + options + " may be given";
}

}  // namespace

int printError(const std::string& sentence, int exitCode) {
  // Error makes the sentence one line without control characters.
  std::cerr << "error: " << badInput(sentence).what() << std::endl;
  return exitCode;
}

std::string didYouMean(const std::string& word,
                       const std::vector<std::string>& candidates) {
  constexpr std::size_t kLongest = 64;
  if (word.size() > kLongest) return {};
  std::size_t least = kMostEdits + 1;
  std::string nearest;
  for (const std::string& candidate : candidates) {
    const std::size_t edits = editsBetween(word, candidate);
    // Two edits change most of a short word, so more than half of it must remain.
    if (edits >= least || 2 * edits >= std::min(lettersOf(word), lettersOf(candidate)))
      continue;
    least = edits;
    nearest = candidate;
  }
  return nearest.empty() ? "" : "; did you mean " + nearest + "?";
}

std::string misuseOf(const CLI::App& program, const CLI::Error& error, int argc,
                     char** argv) {
  if (const auto sentence = unknownCommand(program, argc, argv)) return *sentence;
  return unknownArgument(program).value_or(ownWords(error.what()) +
                                           adviceFor(program, error));
}

}  // namespace equipatch::usage

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>

#include "core/base/error.h"
#include "core/base/number_from.h"

namespace equipatch {

/// Set by the chosen subcommand, to be run after parsing.
using Action = std::function<void()>;

/// Accepts a whole number of at least `least`, in digits. Pass this validator to
/// CLI::Option::transform: CLI::Option::check would discard the changed text.
inline CLI::Validator wholeNumber(std::uint64_t least = 0) {
  const std::string bound = least > 0 ? "above " + std::to_string(least - 1) : "";
  return CLI::Validator(
      [least, bound](std::string& text) -> std::string {
        const auto value = numberFrom<std::uint64_t>(text);
        if (value && *value >= least) {
          text = std::to_string(*value);  // CLI11 would read 010 as an octal number
          return {};
        }
        return "expected a whole number " + (bound.empty() ? "in digits" : bound) +
               ", found " + inQuotes(text);
      },
      bound);
}

inline CLI::Validator atLeastOne() {
  return wholeNumber(1);
}

/// Refuses a whole number above `most`. Use after a transform with `wholeNumber`.
inline CLI::Validator atMost(std::uint64_t most) {
  const std::string bound = "at most " + std::to_string(most);
  return CLI::Validator(
      [most, bound](const std::string& text) -> std::string {
        const auto value = numberFrom<std::uint64_t>(text);
        if (value && *value <= most) return {};
        return "expected " + bound + ", found " + inQuotes(text) +
               "; choose a smaller number";
      },
      bound);
}

/// The most shards in a step: with more, the first loss would be printed too late.
inline constexpr std::uint64_t kMostShards = 1024;

/// Refuses infinity and NaN too.
inline CLI::Validator positiveNumber() {
  return CLI::Validator(
      [](const std::string& text) -> std::string {
        const auto value = numberFrom<double>(text);
        if (value && *value > 0 && std::isfinite(*value)) return {};
        return "expected a finite number above 0, found " + inQuotes(text);
      },
      "above 0");
}

// Each function adds a subcommand, which sets `action` if the user chooses it. `program`
// and `action` must outlive the parsing.
void addDocuments(CLI::App& program, Action& action);
void addVocabulary(CLI::App& program, Action& action);
void addTrain(CLI::App& program, Action& action);
void addScenes(CLI::App& program, Action& action);
void addTrainVision(CLI::App& program, Action& action);
void addEvaluate(CLI::App& program, Action& action);

}  // namespace equipatch

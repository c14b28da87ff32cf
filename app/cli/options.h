// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/usage/number_checks.h"
#include "core/base/ids.h"
#include "core/record/file/run_file.h"
#include "core/run/prepared_prompt.h"
#include "core/run/session.h"

namespace equipatch::cli {

using usage::between;
using usage::wholeNumber;

/// An error of wrong usage (exit code 2): "--ids: expected …".
CLI::ValidationError misuse(const std::string& option, const std::string& sentence);

/// Refuses "-" (standard output). @param what the output, as the message names it: "a run
/// file, which is a database,"
CLI::Validator noStream(const std::string& what);

/// --device: cpu, cuda or cuda:N.
CLI::Option* addDeviceOption(CLI::App& command, std::string& device);

/// --threads. @param threads unchanged without the option
void addThreadsOption(CLI::App& command, int& threads);
/// The upper bound of --threads: twice the machine's threads, at least 8.
int mostThreads();

/// --weights: auto, resident or mapped. `weightPlaceFromName` returns nullopt for auto.
void addWeightsOption(CLI::App& command, std::string& place);

/// --dtype: a floating-point type's name. @param dtype unchanged without the option
void addDTypeOption(CLI::App& command, std::string& dtype);

/// --model, required: a folder, or a name that `modelFolder` resolves.
void addModelOption(CLI::App& command, std::string& folder);

/// --model, --dtype, --compute, --device, --weights.
struct SessionOptions {
  std::string folder;
  std::string dtype;  ///< empty: as stored
  std::string device = "cpu";
  std::string compute = "native";
  std::string weights = "auto";

  void addTo(CLI::App& command);
  /// @throws Error as `modelFolder`.
  SessionRequest request() const;
};

/// "1,2,3" or "1 2 3" as ids. @throws CLI::ValidationError naming --ids.
std::vector<TokenId> parseIds(const std::string& list);

/// --no-bos, --chat, --system: how a text becomes tokens.
struct TextOptions {
  bool omitSpecials = false;
  bool chat = false;

  /// @param source receives the value of --system
  void addTo(CLI::App& command, PromptSource& source);
  /// @throws CLI::ValidationError naming an option that has no effect.
  void check() const;
  /// Returns `source` with these options set.
  PromptSource applyTo(PromptSource source) const;
};

/// Reads the undamaged steps of a run file. Prints a warning on standard error if the
/// file is damaged, or a note if an undamaged file has no step.
/// @throws Error as `readRun` does.
StoredRun readNotingGaps(const std::string& path);
/// Prints the warning or the note of `readNotingGaps`, if one applies.
/// @param steps how many could be read
void noteGaps(const std::string& path, std::size_t steps, const std::string& damage);
/// Prints only the warning of `readNotingGaps`, if `damage` is not empty.
void warnOfDamage(const std::string& path, std::size_t steps, const std::string& damage);

/// Prints "wrote F.json" on standard error.
void noteWritten(const std::string& what);

/// Prints the prompt's warning, if any, on standard error.
void printWarning(const PreparedPrompt& prompt);

/// "0-5,10" as layer numbers, ascending, each once. @throws CLI::ValidationError naming
/// --layers.
std::vector<std::int64_t> parseLayers(const std::string& list);

/// "1-5,10" as seeds, ascending. @throws CLI::ValidationError naming --seeds, also for a
/// seed that is listed twice.
std::vector<std::int64_t> parseSeeds(const std::string& list);

/// --image, which may be repeated. @param purpose begins the option's help
void addImageOption(CLI::App& command, std::vector<std::string>& files,
                    const std::string& purpose);
/// @throws Error as `readPicture`.
Pictures readPictures(const std::vector<std::string>& files);

struct PromptOptions {
  std::optional<std::string> text;
  std::optional<std::string> file;
  std::optional<std::string> ids;
  std::vector<std::string> images;
  TextOptions textOptions;
  PromptSource source;  ///< holds --system and, for `compare`, --absorb

  void addTo(CLI::App& command);
  /// @throws CLI::ValidationError unless exactly one of --prompt, --prompt-file and --ids
  /// was given, or if an option is invalid or has no effect.
  void check() const;
  /// Also prints the prompt's warning. @throws Error if a file cannot be read or the
  /// prompt's file is empty, and as `preparePrompt`: {Cancelled} soon after a stop is
  /// requested.
  PreparedPrompt prepare(const Session& session, std::stop_token stop) const;
};

}  // namespace equipatch::cli

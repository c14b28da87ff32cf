// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace equipatch::usage {

enum class ValueKind { Text, File, Folder };

/// An option or positional argument.
struct OptionEntry {
  std::vector<std::string> names;  ///< "-h", "--help"; empty: a positional argument
  std::string value;               ///< its placeholder, "DIR"; empty for a flag
  std::string description;
  std::string range;                 ///< of a number, "1 to 40"; may be empty
  std::string defaultValue;          ///< may be empty
  std::vector<std::string> choices;  ///< words that are accepted as the value
  ValueKind kind = ValueKind::Text;  ///< kind of values not in `choices`
  std::string suffix;                ///< ending of the files, ".eqrun"; empty: any
  bool required = false;
  bool repeats = false;
  std::vector<std::string> needs;     ///< names of options
  std::vector<std::string> excludes;  ///< names of options

  bool isPositional() const { return names.empty(); }
  bool isFlag() const { return value.empty() && !isPositional(); }
};

struct CommandEntry {
  std::string name;
  std::string description;
  std::vector<OptionEntry> options;
};

/// A program with all its options and commands.
struct ProgramTable {
  std::string name;
  std::string version;
  std::string description;
  std::vector<OptionEntry> options;  ///< those that the program takes without a command
  std::vector<CommandEntry> commands;
};

/// Derives kind, suffix and choices from the placeholder of the option's value: DIR or
/// FOLDER is a folder, FILE a file, RUN.eqrun a file that ends in .eqrun, M a model (a
/// folder, "bundled" or "bundled-vision"), {a,b,c} one of these words.
void classify(OptionEntry& option);

OptionEntry entryOf(const CLI::Option& option);

/// The options and commands of `program` that its help shows, in the help's order.
ProgramTable tableOf(const CLI::App& program);

/// The entry of the program or command `app`, with the options of its option groups.
CommandEntry commandOf(const CLI::App& app);

}  // namespace equipatch::usage

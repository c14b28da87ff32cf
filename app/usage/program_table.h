#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace equipatch::usage {

enum class ValueKind { Text, File, Folder };

/// An option or another argument, as the manual page and the completions need it.
struct OptionEntry {
  std::vector<std::string> names;  ///< "-h", "--help"; empty: an argument by position
  std::string value;               ///< what stands after it, "DIR"; empty for a flag
  std::string description;
  std::string preset;                ///< what it is when it is not given; may be empty
  std::vector<std::string> choices;  ///< values with a name
  ValueKind kind = ValueKind::Text;  ///< what it may be besides `choices`
  std::string suffix;                ///< of files, ".eqrun"; empty: any
  bool required = false;
  bool repeats = false;
  std::vector<std::string> needs;
  std::vector<std::string> excludes;

  bool byPosition() const { return names.empty(); }
  bool isFlag() const { return value.empty() && !byPosition(); }
};

struct CommandEntry {
  std::string name;
  std::string description;
  std::vector<OptionEntry> options;
};

/// All that a program's arguments may be. The one source of its manual page and its
/// completions, which are written from it.
struct ProgramTable {
  std::string name;
  std::string version;
  std::string description;
  std::vector<OptionEntry> options;  ///< before or without a command
  std::vector<CommandEntry> commands;
};

/// Says what may stand after an option by the name of its value, as the options' tables
/// write it: DIR or FOLDER is a folder, FILE a file, RUN.eqrun a file that ends in
/// .eqrun, M a model (a folder, or "bundled"), {a,b,c} one of these words.
void classify(OptionEntry& option);

/// The options and commands of `program` that its help shows, in its order.
ProgramTable tableOf(const CLI::App& program);

/// `app`, a subcommand, with the options of its groups.
CommandEntry commandOf(const CLI::App& app);

}  // namespace equipatch::usage

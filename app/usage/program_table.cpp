// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/usage/program_table.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>

namespace equipatch::usage {

namespace {

/// Turns the value "{a,b}" into the choices a and b and the value "a|b".
void splitChoices(OptionEntry& option) {
  const std::size_t open = option.value.find('{');
  const std::size_t close = option.value.find('}', open);
  if (open == std::string::npos || close == std::string::npos) return;
  std::istringstream words(option.value.substr(open + 1, close - open - 1));
  std::string joined;
  for (std::string word; std::getline(words, word, ',');) {
    joined += (joined.empty() ? "" : "|") + word;
    option.choices.push_back(word);
  }
  option.value = joined;
}

}  // namespace

void classify(OptionEntry& option) {
  splitChoices(option);
  if (!option.choices.empty()) return;
  const std::string& value = option.value;
  if (value == "DIR" || value == "FOLDER") {
    option.kind = ValueKind::Folder;
  } else if (value == "M") {
    option.kind = ValueKind::Folder;
    option.choices = {"bundled", "bundled-vision"};
  } else if (value == "FILE") {
    option.kind = ValueKind::File;
  } else if (const std::size_t dot = value.rfind('.'); dot != std::string::npos) {
    option.kind = ValueKind::File;
    option.suffix = value.substr(dot);
  }
}

namespace {

/// "--rerun" for the option "-r,--rerun".
std::string longName(const CLI::Option& option) {
  if (!option.get_lnames().empty()) return "--" + option.get_lnames().front();
  return option.get_name();
}

/// The names, sorted, because CLI11's sets are ordered by address.
std::vector<std::string> namesOf(const std::set<CLI::Option*>& options) {
  std::vector<std::string> names;
  for (const CLI::Option* option : options) names.push_back(longName(*option));
  std::ranges::sort(names);
  return names;
}

/// The placeholder for the option's value. CLI11 describes the value as TYPE:CHECK, for
/// example "TEXT:{a,b}" or ":DTYPE".
std::string valueOf(const CLI::Option& option) {
  const std::string full = option.get_type_name();
  const std::size_t brace = full.find('{');
  if (brace != std::string::npos) return full.substr(brace);
  const std::size_t colon = full.find(':');
  const std::string type = full.substr(0, colon);
  if (type == "INT" || type == "UINT" || type == "FLOAT") return "NUMBER";
  if (!type.empty()) return type;
  if (option.get_positional()) return option.get_name(true);
  const std::string check = colon == std::string::npos ? "" : full.substr(colon + 1);
  const bool isWord = !check.empty() && check.find_first_of(" :[") == std::string::npos;
  return isWord ? check : "VALUE";
}

/// The range of the option's check, such as "1 to 40" or "above 0"; may be empty. Checks
/// of CLI11 describe a range as "FLOAT in [1 - 40]".
std::string rangeOf(const CLI::Option& option) {
  std::string check = option.get_type_name();
  if (const std::size_t colon = check.find(':'); colon != std::string::npos)
    check.erase(0, colon + 1);
  if (check == "POSITIVE") return "more than 0";
  if (check == "NONNEGATIVE") return "0 or more";
  const std::size_t open = check.find('[');
  const std::size_t dash = check.find(" - ", open);
  if (open != std::string::npos && dash != std::string::npos)
    return check.substr(open + 1, dash - open - 1) + " to " +
           check.substr(dash + 3, check.find(']', dash) - dash - 3);
  const bool isRange =
      check.find(" to ") != std::string::npos || check.starts_with("above ");
  return isRange ? check : "";
}

}  // namespace

OptionEntry entryOf(const CLI::Option& option) {
  OptionEntry entry;
  for (const std::string& name : option.get_snames()) entry.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) entry.names.push_back("--" + name);
  entry.description = option.get_description();
  entry.defaultValue = option.get_default_str();
  entry.required = option.get_required();
  entry.repeats = option.get_expected_max() > 1;
  entry.needs = namesOf(option.get_needs());
  entry.excludes = namesOf(option.get_excludes());
  if (option.get_items_expected_max() == 0) return entry;
  entry.value = valueOf(option);
  entry.range = rangeOf(option);
  classify(entry);
  // The help shows a positional argument by its name.
  if (option.get_positional()) entry.value = option.get_name(true);
  return entry;
}

namespace {

void addOptions(const CLI::App& app, std::vector<OptionEntry>& entries) {
  for (const CLI::Option* option : app.get_options()) {
    // CLI11 adds a help option to each option group.
    const bool isGroupsHelp = app.get_name().empty() && option == app.get_help_ptr();
    if (!option->get_group().empty() && !isGroupsHelp)
      entries.push_back(entryOf(*option));
  }
  const auto isGroup = [](const CLI::App* child) { return child->get_name().empty(); };
  for (const CLI::App* group : app.get_subcommands(isGroup)) addOptions(*group, entries);
}

}  // namespace

CommandEntry commandOf(const CLI::App& app) {
  CommandEntry command{app.get_name(), app.get_description(), {}};
  addOptions(app, command.options);
  return command;
}

ProgramTable tableOf(const CLI::App& program) {
  ProgramTable table{.name = program.get_name(),
                     .version = EQUIPATCH_VERSION,
                     .description = program.get_description()};
  addOptions(program, table.options);
  const auto isCommand = [](const CLI::App* child) { return !child->get_name().empty(); };
  for (const CLI::App* command : program.get_subcommands(isCommand))
    table.commands.push_back(commandOf(*command));
  return table;
}

}  // namespace equipatch::usage

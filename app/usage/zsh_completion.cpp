// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/usage/pages.h"

#include "core/base/strings.h"

namespace equipatch::usage {
namespace {

/// Escapes `text` for a specification of _arguments or _describe within '…'.
std::string inSpecification(const std::string& text) {
  std::string escaped;
  for (const char letter : text) {
    if (letter == '\'') {
      escaped += "'\\''";
      continue;
    }
    if (letter == '[' || letter == ']' || letter == ':' || letter == '\\')
      escaped += '\\';
    escaped += letter;
  }
  return escaped;
}

/// The action that completes the option's value, in the syntax of _arguments.
std::string actionOf(const OptionEntry& option) {
  std::string files;
  if (option.kind == ValueKind::Folder) files = "_files -/";
  if (option.kind == ValueKind::File)
    files = option.suffix.empty() ? "_files" : "_files -g \"*" + option.suffix + "\"";
  if (option.choices.empty()) return files.empty() ? " " : files;
  if (files.empty()) return "(" + joined(option.choices, " ") + ")";
  return "{compadd -- " + joined(option.choices, " ") + "; " + files + "}";
}

/// What zsh no longer offers once `option` is typed, as "(--json --csv)". zsh cannot name
/// a single positional argument; ":" excludes all positional arguments.
std::string excludedBy(const OptionEntry& option) {
  std::vector<std::string> names = option.excludes;
  for (std::string& name : names)
    if (!name.starts_with('-')) name = ":";
  if (!option.repeats)
    names.insert(names.end(), option.names.begin(), option.names.end());
  return names.empty() ? "" : "(" + joined(names, " ") + ")";
}

std::string specificationsOf(const std::vector<OptionEntry>& options) {
  std::string text;
  for (const OptionEntry& option : options) {
    const std::string value =
        ":" + inSpecification(option.value) + ":" + actionOf(option);
    if (option.isPositional()) {
      text += std::string(" \\\n      '") + (option.repeats ? "*" : "") +
              (option.required || option.repeats ? "" : ":") + value + "'";
      continue;
    }
    for (const std::string& name : option.names)
      text += " \\\n      '" + excludedBy(option) + (option.repeats ? "*" : "") + name +
              (option.isFlag() || !name.starts_with("--") ? "" : "=") + "[" +
              inSpecification(option.description) + "]" + (option.isFlag() ? "" : value) +
              "'";
  }
  return text;
}

std::string commandList(const ProgramTable& table) {
  std::string list;
  for (const CommandEntry& command : table.commands)
    list += "    '" + command.name + ":" + inSpecification(command.description) + "'\n";
  return list;
}

/// Completes what follows the first argument: the arguments of a command or, without a
/// command, further values of a repeated argument.
std::string commandCases(const ProgramTable& table) {
  std::string cases;
  for (const CommandEntry& command : table.commands)
    cases += "    " + command.name + ")\n      _arguments" +
             specificationsOf(command.options) + "\n      ;;\n";
  for (const OptionEntry& option : table.options)
    if (option.isPositional() && option.repeats)
      cases += "    *) " + actionOf(option) + " ;;\n";
  return cases;
}

/// Completes the program's options and its first argument, such as a command.
std::string programOptions(const ProgramTable& table) {
  std::vector<OptionEntry> named;
  std::string positionals;
  for (const OptionEntry& option : table.options) {
    if (option.isPositional())
      positionals += "        " + actionOf(option) + "\n";
    else
      named.push_back(option);
  }
  return "  _arguments -C" + specificationsOf(named) +
         " \\\n      '1:command:->command' '*::argument:->argument'\n"
         "  case $state in\n"
         "    command)\n"
         "      _describe -t commands command commands\n" +
         positionals +
         "      return\n      ;;\n    argument) ;;\n    *) return ;;\n  esac\n";
}

}  // namespace

std::string zshCompletion(const ProgramTable& table) {
  return "#compdef " + table.name + "\n# " + table.name + ' ' + table.version +
         "; written by " + table.name + " --completion zsh\n\n_" + table.name +
         "() {\n  local curcontext=$curcontext state line\n"
         "  local -A opt_args\n  local -a commands=(\n" +
         commandList(table) + "  )\n" + programOptions(table) + "  case $words[1] in\n" +
         commandCases(table) + "  esac\n}\n\nif [ \"$funcstack[1]\" = _" + table.name +
         " ]; then\n  _" + table.name + " \"$@\"\nelse\n  compdef _" + table.name + ' ' +
         table.name + "\nfi\n";
}

}  // namespace equipatch::usage

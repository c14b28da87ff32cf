// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>

#include "app/usage/pages.h"
#include "core/base/strings.h"

namespace equipatch::usage {
namespace {

/// The options replace this line of `sections`.
constexpr std::string_view kOptionsPlace = ".\\\" OPTIONS\n";

/// Escapes well-formed UTF-8 for roff, also for the beginning of a line.
std::string roff(std::string_view text) {
  std::string escaped;
  if (!text.empty() && (text.front() == '.' || text.front() == '\'')) escaped = "\\&";
  for (std::size_t at = 0; at < text.size();) {
    const char32_t character = firstCharacter(text.substr(at));
    at += utf8Length(text[at]);
    switch (character) {
      case '\\':
        escaped += "\\e";
        break;
      case '-':  // roff prints an unescaped - as a typographic hyphen
        escaped += "\\-";
        break;
      case '\'':
        escaped += "\\(aq";
        break;
      case '`':
        escaped += "\\(ga";
        break;
      case '^':
        escaped += "\\(ha";
        break;
      case '~':
        escaped += "\\(ti";
        break;
      case '"':
        escaped += "\\(dq";
        break;
      default:
        if (character < 0x80) {
          escaped += static_cast<char>(character);
        } else {
          char name[16];
          std::snprintf(name, sizeof name, "\\[u%04X]", static_cast<unsigned>(character));
          escaped += name;
        }
    }
  }
  return escaped;
}

std::string bold(std::string_view text) {
  return "\\fB" + roff(text) + "\\fR";
}
std::string italic(std::string_view text) {
  return "\\fI" + roff(text) + "\\fR";
}

/// In roff, with a capital letter and a full stop.
std::string sentence(std::string text) {
  if (text.empty()) return text;
  if (text.front() >= 'a' && text.front() <= 'z')
    text.front() = static_cast<char>(text.front() - 'a' + 'A');
  if (text.back() != '.') text += '.';
  return roff(text);
}

std::string list(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + bold(name);
  return text;
}

/// "-h, --help", "--steps COUNT", "FOLDER ...".
std::string headOf(const OptionEntry& option) {
  std::string head = list(option.names);
  if (!option.value.empty())
    head += (option.isPositional() ? "" : " ") + italic(option.value);
  return option.repeats ? head + " ..." : head;
}

std::string itemOf(const OptionEntry& option) {
  std::string text = ".TP\n" + headOf(option) + "\n" + sentence(option.description);
  if (option.isPositional() && !option.choices.empty())
    text += " One of " + list(option.choices) + ".";
  if (!option.range.empty()) text += " Range: " + roff(option.range) + ".";
  if (option.required) text += " Required.";
  if (!option.defaultValue.empty())
    text += " Default: " + bold(option.defaultValue) + ".";
  if (!option.needs.empty()) text += " Needs " + list(option.needs) + ".";
  if (!option.excludes.empty()) text += " Not with " + list(option.excludes) + ".";
  return text + "\n";
}

std::string itemsOf(const std::vector<OptionEntry>& options) {
  std::string text;
  for (const OptionEntry& option : options) text += itemOf(option);
  return text;
}

/// " [OPTIONS] A.eqrun [FOLDER]".
std::string callOf(const std::vector<OptionEntry>& options) {
  std::string call;
  bool hasOptions = false;
  for (const OptionEntry& option : options) {
    hasOptions = hasOptions || !option.isPositional();
    if (!option.isPositional()) continue;
    const std::string name = italic(option.value) + (option.repeats ? " ..." : "");
    call += option.required ? " " + name : " [" + name + "]";
  }
  return (hasOptions ? " [" + italic("OPTIONS") + "]" : "") + call;
}

std::string synopsis(const ProgramTable& table) {
  std::string text = ".SH SYNOPSIS\n" + bold(table.name) + callOf(table.options) + "\n";
  for (const CommandEntry& command : table.commands)
    text += ".br\n" + bold(table.name) + " " + bold(command.name) +
            callOf(command.options) + "\n";
  return text;
}

std::string optionSections(const ProgramTable& table) {
  std::string text = ".SH OPTIONS\n" + itemsOf(table.options);
  if (!table.commands.empty()) text += ".SH COMMANDS\n";
  for (const CommandEntry& command : table.commands)
    text += ".SS " + roff(command.name) + callOf(command.options) + "\n" +
            sentence(command.description) + "\n" + itemsOf(command.options);
  return text;
}

}  // namespace

std::string manualPage(const ProgramTable& table, std::string_view sections) {
  std::string upper;
  for (const char letter : table.name)
    upper +=
        letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
  const std::size_t place = sections.find(kOptionsPlace);
  const bool hasPlace = place != std::string_view::npos;
  return ".\\\" Written by " + table.name + " --manual.\n.TH " + upper +
         " 1 \"\" \"Equipatch " + roff(table.version) +
         "\" \"User Commands\"\n.SH NAME\n" + roff(table.name) + " \\- " +
         roff(table.description) + "\n" + synopsis(table) +
         std::string(sections.substr(0, hasPlace ? place : 0)) + optionSections(table) +
         std::string(sections.substr(hasPlace ? place + kOptionsPlace.size() : 0));
}

}  // namespace equipatch::usage

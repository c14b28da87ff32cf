// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/usage/help.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <utility>

#include "app/usage/program_table.h"
#include "core/base/strings.h"

namespace equipatch::usage {
namespace {

constexpr std::size_t kDescriptionColumn = 26;
constexpr std::size_t kHelpColumns = 80;
constexpr std::size_t kMostExcluded = 3;  ///< see exclusionsOf

/// Columns on a terminal. @param text UTF-8 without double-width characters
std::size_t widthOf(const std::string& text) {
  std::size_t width = 0;
  for (const char byte : text)
    if ((static_cast<unsigned char>(byte) & 0xC0U) != 0x80U) ++width;
  return width;
}

/// "  -h, --help", "  --steps COUNT", "  FOLDER ...".
std::string helpHead(const OptionEntry& entry) {
  std::string head = "  " + joined(entry.names);
  if (!entry.value.empty()) head += (entry.isPositional() ? "" : " ") + entry.value;
  return head + (entry.repeats ? " ..." : "");
}

std::string nameOf(const CLI::Option& option) {
  const OptionEntry entry = entryOf(option);
  return entry.isPositional() ? entry.value : entry.names.back();
}

/// The names of the command's other options, without --help, that `option` does not
/// exclude.
std::vector<std::string> combinable(const CLI::App& command, const CLI::Option& option) {
  std::set<const CLI::Option*> apart{&option, command.get_help_ptr()};
  for (const CLI::Option* excluded : option.get_excludes()) apart.insert(excluded);
  std::vector<std::string> names;
  for (const CLI::Option* other : command.get_options())
    if (!apart.contains(other)) names.push_back(nameOf(*other));
  return names;
}

/// "not with --a, --b": the options that `option` excludes. If it excludes more than
/// kMostExcluded, the allowed options are listed instead if they are fewer: "with no
/// options but --c". If it excludes at most kMostExcluded, the list omits options that
/// exclude more than kMostExcluded: their own help describes the exclusion.
std::string exclusionsOf(const CLI::App& command, const CLI::Option& option) {
  const auto& excluded = option.get_excludes();
  const bool isMany = excluded.size() > kMostExcluded;
  const std::vector<std::string> others =
      isMany ? combinable(command, option) : std::vector<std::string>();
  if (isMany && others.empty()) return "with no other options";
  if (isMany && others.size() < excluded.size())
    return "with no options but " + joined(others);
  std::vector<std::string> names;
  for (const CLI::Option* other : excluded)
    if (isMany || other->get_excludes().size() <= kMostExcluded)
      names.push_back(nameOf(*other));
  std::ranges::sort(names);
  return names.empty() ? "" : "not with " + joined(names);
}

/// "tokens to generate (1 to 64; default 10)".
std::string descriptionOf(const CLI::App& command, const CLI::Option& option,
                          const OptionEntry& entry) {
  std::vector<std::string> notes;
  if (entry.isPositional() && !entry.choices.empty())
    notes.push_back(joined(entry.choices));
  if (!entry.range.empty()) notes.push_back(entry.range);
  if (entry.required) notes.emplace_back("required");
  if (!entry.defaultValue.empty()) notes.push_back("default " + entry.defaultValue);
  if (!entry.needs.empty()) notes.push_back("needs " + joined(entry.needs));
  if (const std::string text = exclusionsOf(command, option); !text.empty())
    notes.push_back(text);
  const std::string all = joined(notes, "; ");
  return entry.description + (all.empty() ? "" : " (" + all + ")");
}

/// The head and the description, wrapped at kHelpColumns.
std::string lineOf(const std::string& head, const std::string& description) {
  std::string text = head;
  std::size_t used = widthOf(head);
  const auto nextLine = [&] {
    text += "\n" + std::string(kDescriptionColumn, ' ');
    used = kDescriptionColumn;
  };
  if (used + 2 > kDescriptionColumn)
    nextLine();
  else
    text += std::string(kDescriptionColumn - used, ' ');
  used = kDescriptionColumn;
  std::istringstream words(description);
  for (std::string word; words >> word;) {
    const bool first = used == kDescriptionColumn;
    if (!first && used + 1 + widthOf(word) > kHelpColumns) nextLine();
    if (used > kDescriptionColumn) word.insert(0, 1, ' ');
    text += word;
    used += widthOf(word);
  }
  return text + "\n";
}

class HelpFormatter final : public CLI::Formatter {
 public:
  HelpFormatter() { label("Positionals", "Arguments"); }

  std::string make_help(const CLI::App* command, std::string name,
                        CLI::AppFormatMode mode) const override {
    m_command = command;
    return CLI::Formatter::make_help(command, std::move(name), mode);
  }

  std::string make_option(const CLI::Option* option, bool) const override {
    const OptionEntry entry = entryOf(*option);
    return lineOf(helpHead(entry), descriptionOf(*m_command, *option, entry));
  }

  std::string make_subcommand(const CLI::App* command) const override {
    return lineOf("  " + command->get_name(), command->get_description());
  }

  /// Omits the help option that CLI11 adds to each option group.
  std::string make_expanded(const CLI::App* group) const override {
    const bool isOneOf = group->get_require_option_min() == 1;
    std::string text = isOneOf ? "\nExactly one of:\n" : "\nOptions:\n";
    for (const CLI::Option* option : group->get_options())
      if (option != group->get_help_ptr()) text += make_option(option, false);
    return text;
  }

 private:
  mutable const CLI::App* m_command = nullptr;  ///< whose help is being written
};

}  // namespace

void formatHelp(CLI::App& program) {
  program.formatter(std::make_shared<HelpFormatter>());
  program.get_help_ptr()->description("print this help and exit");
}

void refuseEmptyPaths(CLI::App& program) {
  const CLI::Validator isNamed(
      [](const std::string& path) {
        return path.empty()
                   ? std::string("the name is empty; give the name of a file or folder")
                   : std::string();
      },
      "");
  for (CLI::Option* option : program.get_options())
    if (entryOf(*option).kind != ValueKind::Text) option->check(isNamed);
  for (CLI::App* command : program.get_subcommands({})) refuseEmptyPaths(*command);
}

}  // namespace equipatch::usage

// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "app/usage/pages.h"
#include "core/base/strings.h"

namespace equipatch::usage {
namespace {

/// The script without its tables. NAME and PROGRAM stand for the names of the function
/// and the program. Bash passes --option=value as three words: --option, = and value.
constexpr const char* kBashFunction = R"script(
NAME() {
  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
  local command='' option='' expected='' word i
  COMPREPLY=()
  if [ "$current" = '=' ]; then
    option=$before current=''
  elif [ "$before" = '=' ] && [ "$COMP_CWORD" -gt 1 ]; then
    option=${COMP_WORDS[COMP_CWORD-2]}
  elif [ "${before:0:1}" = - ]; then
    option=$before
  fi
  for ((i = 1; i < COMP_CWORD; ++i)); do
    word=${COMP_WORDS[i]} before=${COMP_WORDS[i-1]}
    # The value of an option may equal a command.
    [ "$before" != '=' ] && [ -z "$(NAME_values '' "$before")" ] || continue
    case " $(NAME_commands) " in
      *" $word "*) command=$word; break ;;
    esac
  done

  [ -z "$option" ] || expected=$(NAME_values "$command" "$option")
  if [ "${current:0:1}" = - ] && { [ -z "$option" ] || [ -z "$expected" ]; }; then
    mapfile -t COMPREPLY < <(compgen -W "$(NAME_options "$command")" -- "$current")
    return
  fi
  if [ -z "$expected" ]; then
    [ -n "$command" ] ||
      mapfile -t COMPREPLY < <(compgen -W "$(NAME_commands)" -- "$current")
    expected=$(NAME_values "$command" '')
  fi
  for word in $expected; do
    case $word in
      :files) mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$current") ;;
      :files.*)
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY \
          < <(compgen -f -X "!*${word#:files}" -- "$current"; compgen -d -- "$current") ;;
      :folders) mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$current") ;;
      :text) ;;
      *) mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -W "$word" -- "$current") ;;
    esac
    case $word in :files* | :folders) compopt -o filenames 2>/dev/null ;; esac
  done
}

complete -F NAME PROGRAM
)script";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos;
       at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

/// The option's possible values in the script's notation: words, :files, :files.suffix,
/// :folders, or :text, which has no completions.
std::string expectedOf(const OptionEntry& option) {
  std::vector<std::string> expected = option.choices;
  switch (option.kind) {
    case ValueKind::File:
      expected.push_back(":files" + option.suffix);
      break;
    case ValueKind::Folder:
      expected.emplace_back(":folders");
      break;
    case ValueKind::Text:
      if (expected.empty()) expected.emplace_back(":text");
      break;
  }
  return joined(expected, " ");
}

std::string optionsCase(const std::string& command,
                        const std::vector<OptionEntry>& options) {
  std::vector<std::string> names;
  for (const OptionEntry& option : options)
    names.insert(names.end(), option.names.begin(), option.names.end());
  return "    '" + command + "') echo '" + joined(names, " ") + "' ;;\n";
}

std::string valueCases(const std::string& command,
                       const std::vector<OptionEntry>& options) {
  std::string cases;
  std::string positionals;  // the values of all positional arguments
  for (const OptionEntry& option : options) {
    if (option.isFlag()) continue;
    const std::string expected = expectedOf(option);
    if (option.isPositional()) {
      if (positionals.find(expected) == std::string::npos)
        positionals += (positionals.empty() ? "" : " ") + expected;
      continue;
    }
    for (const std::string& name : option.names)
      cases += "    '" + command + ' ' + name + "') echo '" + expected + "' ;;\n";
  }
  if (positionals.empty()) return cases;
  return cases + "    '" + command + " ') echo '" + positionals + "' ;;\n";
}

}  // namespace

std::string bashCompletion(const ProgramTable& table) {
  std::string name = "_" + table.name;
  std::ranges::replace(name, '-', '_');
  std::string commands;
  std::string options = optionsCase("", table.options);
  std::string values = valueCases("", table.options);
  for (const CommandEntry& command : table.commands) {
    commands += (commands.empty() ? "" : " ") + command.name;
    options += optionsCase(command.name, command.options);
    values += valueCases(command.name, command.options);
  }
  return "# " + table.name + ' ' + table.version + "; written by " + table.name +
         " --completion bash\n\n" + name + "_commands() {\n  echo '" + commands +
         "'\n}\n\n" + name + "_options() {\n  case $1 in\n" + options + "  esac\n}\n\n" +
         name + "_values() {\n  case \"$1 $2\" in\n" + values + "  esac\n}\n" +
         replaced(replaced(kBashFunction, "NAME", name), "PROGRAM", table.name);
}

}  // namespace equipatch::usage

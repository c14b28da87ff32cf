// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/usage/pages.h"

#include <iostream>
#include <string>

#include "app/usage/misuse.h"
#include "core/base/write_failure.h"

namespace equipatch::usage {
namespace {

/// The manual page or completion script that an option requests; empty if the option
/// requests neither.
std::string textOf(std::string_view option, const ProgramTable& table,
                   std::string_view sections) {
  if (option == "--manual") return manualPage(table, sections);
  if (option == "--completion bash") return bashCompletion(table);
  if (option == "--completion zsh") return zshCompletion(table);
  return {};
}

}  // namespace

std::optional<int> printPage(int argc, char** argv,
                             const std::function<ProgramTable()>& table,
                             std::string_view sections) {
  std::string option = argc > 1 ? argv[1] : "";
  if (option != "--completion" && option != "--manual") return std::nullopt;
  for (int i = 2; i < argc; ++i) option += std::string(" ") + argv[i];
  const std::string text = textOf(option, table(), sections);
  if (text.empty()) {
    return printError(
        "expected --completion bash, --completion zsh or --manual, found " + option,
        kExitMisused);
  }
  std::cout << text << std::flush;
  if (std::cout) return 0;
  return printError(outputFailed("the output could not be written").what(), kExitFailed);
}

}  // namespace equipatch::usage

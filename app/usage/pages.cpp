// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/usage/pages.h"

#include <iostream>
#include <string>

#include "app/usage/misuse.h"
#include "core/base/write_failure.h"

namespace equipatch::usage {
namespace {

/// Empty when there is no such page.
std::string pageOf(std::string_view asked, const ProgramTable& table,
                   std::string_view sections) {
  if (asked == "--manual") return manualPage(table, sections);
  if (asked == "--completion bash") return bashCompletion(table);
  if (asked == "--completion zsh") return zshCompletion(table);
  return {};
}

}  // namespace

std::optional<int> printPage(int argc, char** argv,
                             const std::function<ProgramTable()>& table,
                             std::string_view sections) {
  std::string asked = argc > 1 ? argv[1] : "";
  if (asked != "--completion" && asked != "--manual") return std::nullopt;
  for (int i = 2; i < argc; ++i) asked += std::string(" ") + argv[i];
  const std::string text = pageOf(asked, table(), sections);
  if (text.empty()) {
    return printError(
        "expected --completion bash, --completion zsh or --manual, found " + asked,
        kExitMisused);
  }
  std::cout << text << std::flush;
  if (std::cout) return 0;
  return printError(outputFailed("the page could not be written").what(), kExitFailed);
}

}  // namespace equipatch::usage

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/usage/pages.h"

#include <iostream>
#include <string>

#include "app/usage/exit_code.h"

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
    std::cerr << "error: expected --completion bash, --completion zsh or --manual, found "
              << asked << std::endl;
    return kExitMisused;
  }
  std::cout << text << std::flush;
  if (std::cout) return 0;
  std::cerr << "error: the page could not be written; is the disk full?" << std::endl;
  return kExitFailed;
}

}  // namespace equipatch::usage

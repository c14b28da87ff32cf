// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "trainer/documents/document.h"

namespace equipatch::test {

/// The questions and answers of a list of examples, parsed from the document's text. The
/// last pair is the document's own question.
inline std::vector<std::pair<std::string, std::string>> examplesOf(
    const Document& document) {
  std::string text = document.text.substr(std::string("Examples: ").size()) + "; ";
  std::string arrow = ": ";
  for (const char* one : {" -> ", " = "})
    if (text.find(one) != std::string::npos) arrow = one;
  std::vector<std::pair<std::string, std::string>> examples;
  for (std::size_t end; (end = text.find("; ")) != std::string::npos;
       text.erase(0, end + 2)) {
    const std::string line = text.substr(0, end);
    const std::size_t middle = line.find(arrow);
    examples.emplace_back(line.substr(0, middle), line.substr(middle + arrow.size()));
  }
  return examples;
}

}  // namespace equipatch::test

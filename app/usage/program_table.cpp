#include "app/usage/program_table.h"

#include <sstream>

namespace equipatch::usage {
namespace {

/// What stands between the braces, and the value without them.
void takeChoices(OptionEntry& option) {
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
  takeChoices(option);
  if (!option.choices.empty()) return;
  const std::string& value = option.value;
  if (value == "DIR" || value == "FOLDER") {
    option.kind = ValueKind::Folder;
  } else if (value == "M") {
    option.kind = ValueKind::Folder;
    option.choices = {"bundled"};
  } else if (value == "FILE") {
    option.kind = ValueKind::File;
  } else if (const std::size_t dot = value.rfind('.'); dot != std::string::npos) {
    option.kind = ValueKind::File;
    option.suffix = value.substr(dot);
  }
}

}  // namespace equipatch::usage

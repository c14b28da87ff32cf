// SPDX-License-Identifier: GPL-3.0-or-later
// Replays committed inputs in an ordinary build: tests_fuzz HARNESS [FILE | FOLDER]…
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <fstream>
#include <iostream>
#include <sstream>
#include <vector>

#include "tests/fuzz/harness.h"

namespace equipatch::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kMostSeconds = 60;  // for one input, even under valgrind or qemu
constexpr long kMostKibibytes = 1024L * 1024;

std::vector<fs::path> filesIn(const std::vector<fs::path>& places) {
  std::vector<fs::path> files;
  for (const fs::path& place : places)
    if (fs::is_directory(place))
      for (const auto& entry : fs::directory_iterator(place))
        files.push_back(entry.path());
    else if (fs::exists(place))
      files.push_back(place);
  std::sort(files.begin(), files.end());
  return files;
}

struct Replay {
  bool isSmall = true;     ///< reading stayed within the memory limit of an input
  bool isRefused = false;  ///< the input was refused at once
};

Replay replay(const Harness& harness, const fs::path& path) {
  std::ostringstream content;
  content << std::ifstream(path, std::ios::binary).rdbuf();
  std::cout << path.string() << std::endl;  // before it may crash
  ::alarm(kMostSeconds);
  const auto refusal = refusalOf(harness, content.str());
  ::alarm(0);
  if (refusal) std::cout << "  refused at once: " << *refusal << std::endl;
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const bool isSmall = usage.ru_maxrss <= kMostKibibytes;
  if (!isSmall) std::cerr << "takes " << usage.ru_maxrss / 1024 << " MiB of memory\n";
  return {isSmall, refusal.has_value()};
}

int replayAll(const std::vector<std::string>& arguments) {
  const Harness& harness = harnessNamed(arguments.empty() ? "" : arguments.front());
  const std::vector<fs::path> files = filesIn({arguments.begin() + 1, arguments.end()});
  if (files.empty()) {
    std::cerr << "there is no input to replay\n";
    return 1;
  }
  std::size_t refused = 0;
  for (const fs::path& file : files) {
    const Replay result = replay(harness, file);
    if (!result.isSmall) return 1;
    refused += result.isRefused ? 1 : 0;
  }
  std::cout << refused << " of " << files.size() << " inputs were refused at once\n";
  if (files.size() == 1 || refused < files.size()) return 0;
  std::cerr << "no input reaches the reader; the harness or its seeds are out of date\n";
  return 1;
}

}  // namespace
}  // namespace equipatch::fuzz

int main(int count, char** words) {
  try {
    return equipatch::fuzz::replayAll({words + 1, words + count});
  } catch (const std::exception& problem) {
    std::cerr << "escaped: " << problem.what() << "\n";
    return 1;
  }
}

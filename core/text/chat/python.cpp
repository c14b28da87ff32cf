// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/chat/python.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/base/child_process.h"
#include "core/base/paths.h"

namespace equipatch {

namespace {

using Path = std::filesystem::path;

/// Writes the interpreter, its prefixes and the folders of its modules.
constexpr const char* kAsk =
    "import os, sys\n"
    "names = [sys.executable, sys.prefix, sys.base_prefix, sys.exec_prefix,\n"
    "         sys.base_exec_prefix, *sys.path]\n"
    "sys.stdout.buffer.write(b'\\0'.join(map(os.fsencode, names)))\n";

/// Libraries, and what the C library reads to find them and to tell the time.
constexpr const char* kSystem[] = {
    "/usr",    "/bin",       "/lib",       "/lib32",           "/lib64",
    "/libx32", "/nix/store", "/gnu/store", "/etc/ld.so.cache", "/etc/localtime"};

/// Whether `path` is the user's home folder or holds it.
bool holdsHome(const Path& path) {
  const char* home = std::getenv("HOME");
  std::error_code ignored;
  const Path inner = std::filesystem::weakly_canonical(home ? home : "/root", ignored);
  const Path outer = std::filesystem::weakly_canonical(path, ignored);
  return std::ranges::mismatch(outer, inner).in1 == outer.end();
}

std::vector<Path> namesIn(std::string_view answer) {
  std::vector<Path> names;
  while (!answer.empty()) {
    const std::size_t end = std::min(answer.find('\0'), answer.size());
    names.emplace_back(answer.substr(0, end));
    answer.remove_prefix(std::min(end + 1, answer.size()));
  }
  return names;
}

}  // namespace

std::vector<Path> pythonsOfThisMachine() {
  std::vector<Path> result{"/usr/bin/python3"};
  const char* path = std::getenv("PATH");
  std::string_view folders = path ? path : "";
  while (!folders.empty()) {
    const std::size_t end = std::min(folders.find(':'), folders.size());
    const Path folder(folders.substr(0, end));
    folders.remove_prefix(std::min(end + 1, folders.size()));
    if (folder.is_absolute() && folder != "/usr/bin")
      result.push_back(folder / "python3");
  }
  return result;
}

std::optional<PythonPlace> PythonPlace::ask(const Path& path, std::stop_token stop) {
  if (!isThere(path)) return std::nullopt;
  // Isolated mode: ignores the environment, the user's folders and the current folder.
  const ChildResult result = runChild({.program = path,
                                       .arguments = {"-I", "-B", "-c", kAsk},
                                       .environment = {{"PATH", "/usr/bin:/bin"}}},
                                      std::move(stop));
  const std::vector<Path> names = namesIn(result.output);
  if (result.ending != ChildEnding::Exited || result.code != 0 || names.empty())
    return std::nullopt;
  PythonPlace place{.program = names.front().is_absolute() ? names.front() : path,
                    .readable = {std::begin(kSystem), std::end(kSystem)}};
  for (const Path& name : names)
    if (name.is_absolute() && !holdsHome(name)) place.readable.push_back(name);
  return place;
}

}  // namespace equipatch

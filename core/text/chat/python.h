// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <stop_token>
#include <vector>

namespace equipatch {

/// Debian's Python first, because its package python3-jinja2 installs for no other.
std::vector<std::filesystem::path> pythonsOfThisMachine();

/// A Python interpreter, and what it must read to run.
struct PythonPlace {
  std::filesystem::path program;  ///< itself, where the path it was found by is a script
  /// Its prefix, the folders of its modules, and the system's libraries; no home folder.
  std::vector<std::filesystem::path> readable;

  /// Runs the interpreter at `path` to find out; empty when there is none.
  /// @throws Error{Cancelled} soon after a stop request.
  static std::optional<PythonPlace> ask(const std::filesystem::path& path,
                                        std::stop_token stop = {});
};

}  // namespace equipatch

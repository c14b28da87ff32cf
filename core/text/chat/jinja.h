// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace equipatch {

/// A template and its variables.
struct JinjaRequest {
  std::string source;  ///< names the template in errors
  std::string text;
  /// An object. Ordered, because templates may print an object as a whole.
  const nlohmann::ordered_json& variables;
  /// Python interpreters to try, until one has Jinja2; see pythonsOfThisMachine.
  std::vector<std::filesystem::path> pythons;
};

/// Renders a template with Jinja2, configured as in transformers, in a separate process,
/// which runs in a Sandbox. Its limits are 5 seconds of CPU time, 30 seconds of real
/// time, 256 MiB of memory (up to 512 for a long conversation), and an output that may
/// grow with the size of the conversation.
/// @throws Error{BadInput} naming `source` and the message of the template or the
/// process, Error{Resource} naming the package to install when no interpreter has Jinja2,
/// Error{Cancelled} after `stop`.
std::string renderJinja(const JinjaRequest& request, std::stop_token stop = {});

/// The interpreters to try. /usr/bin/python3 comes first: Debian's package python3-jinja2
/// installs Jinja2 for this one only.
std::vector<std::filesystem::path> pythonsOfThisMachine();

/// A Python interpreter, and the files that it must read to run.
struct PythonPlace {
  std::filesystem::path program;  ///< the interpreter, not a script that starts it
  /// Its prefix, the folders of its modules, and the system's libraries; no home folder.
  std::vector<std::filesystem::path> readable;

  /// Asks the interpreter at `path` for these paths; empty when it is absent or fails.
  /// @throws Error{Cancelled} soon after a stop request.
  static std::optional<PythonPlace> inspect(const std::filesystem::path& path,
                                            std::stop_token stop = {});
};

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace equipatch {

struct JinjaRequest {
  std::string source;  ///< names the template in errors
  std::string text;
  /// A JSON object, which must outlive this. Its keys are ordered, because templates may
  /// print a whole object.
  const nlohmann::ordered_json& variables;
  /// Python interpreters to try in this order, until one has Jinja2.
  std::vector<std::filesystem::path> pythons;
};

/// Renders a template with Jinja2, configured as in transformers, in a separate process
/// inside a Sandbox. The process may take 30 seconds, 5 of them on the CPU; the limits of
/// its memory and output grow with the request, up to a maximum.
/// @throws Error{BadInput} with `source` and the message of the template or of Python,
/// Error{Resource} naming the package to install when no interpreter has Jinja2,
/// Error{Cancelled} after `stop`.
std::string renderJinja(const JinjaRequest& request, std::stop_token stop = {});

/// Paths at which an interpreter may be. /usr/bin/python3 comes first, because Debian's
/// python3-jinja2 installs Jinja2 only for this interpreter.
std::vector<std::filesystem::path> pythonsOfThisMachine();

/// A Python interpreter, and the files that it must read to run.
struct PythonPlace {
  std::filesystem::path program;  ///< not a script that starts the interpreter
  /// The interpreter's prefixes, the folders of its modules and the system's libraries;
  /// never the home folder or a folder that contains it.
  std::vector<std::filesystem::path> readable;

  /// Runs the interpreter at `path`; empty when the interpreter is absent or fails.
  /// @throws Error{Cancelled} soon after a stop request.
  static std::optional<PythonPlace> inspect(const std::filesystem::path& path,
                                            std::stop_token stop = {});
};

}  // namespace equipatch

#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/json.h"

namespace equipatch {

/// A template and what it may speak of.
struct JinjaRequest {
  std::string source;  ///< names the template in errors
  std::string text;
  const Json& variables;  ///< an object
  /// Python interpreters to try, until one has Jinja2; see pythonsOfThisMachine.
  std::vector<std::filesystem::path> pythons;
};

/// Debian's own Python first: its package python3-jinja2 serves no other.
std::vector<std::filesystem::path> pythonsOfThisMachine();

/// Renders by Jinja2, as Hugging Face's transformers sets it up, in a process of its own
/// with little time and memory and no way to write a file.
/// @throws Error naming `source` and what the template or the process says,
///         Error{Resource} naming the package to install, Error{Cancelled} after `stop`.
std::string renderJinja(const JinjaRequest& request, std::stop_token stop = {});

}  // namespace equipatch

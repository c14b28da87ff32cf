#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>

#include "core/run/rerun.h"

namespace equipatch::cli {

/// --rerun: a recorded run once more, with all its settings.
class RerunOptions {
 public:
  /// Comes after all other options: it excludes those that the file decides.
  void addTo(CLI::App& command);

  bool given() const { return m_file.has_value(); }
  /// Warns of damage. @throws Error{BadInput} when the file cannot be read at all.
  StoredRun read() const;

 private:
  std::optional<std::string> m_file;
};

/// Tells on standard error what of weights, program and machine is not as it was.
void warnOfDifferences(const RunHeader& recorded, const Session& session);

}  // namespace equipatch::cli

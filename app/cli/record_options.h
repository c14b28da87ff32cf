#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>

#include "core/record/file/run_writer.h"

namespace equipatch::cli {

/// --out, --force, --factors: the run's file.
struct RecordOptions {
  std::optional<std::string> out;
  bool force = false;
  bool factors = false;

  void addTo(CLI::App& command);
  /// Null without --out. @throws Error{BadInput} when the file's name is taken.
  std::shared_ptr<RunRecorder> recorder(std::shared_ptr<RunSink> next) const;
};

}  // namespace equipatch::cli

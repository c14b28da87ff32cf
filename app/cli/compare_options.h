#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>

#include "app/cli/options.h"
#include "app/cli/save_patched.h"
#include "core/record/export/export_json.h"
#include "core/record/file/run_writer.h"
#include "core/record/run_request.h"
#include "core/run/rerun.h"

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

/// Everything `compare` can be told.
struct CompareOptions {
  SessionOptions session;
  PromptOptions prompt;
  RecordOptions record;
  RerunOptions rerun;
  SavePatchedOptions saved;
  RunRequest request;
  std::string method{name(Method::Balanced)};
  std::string loop{name(Loop::Closed)};
  std::string application{name(Application::Factored)};
  std::optional<std::string> strengthLayers;
  std::optional<PositionRange> exactFor;
  int threads = 0;  // 0: not asked for
  bool separate = false;
  bool noBare = false;
  bool json = false;
  bool layers = false;

  void addTo(CLI::App& command);
  /// What can be seen to be wrong before anything is loaded.
  /// @throws CLI::ValidationError naming the option.
  void check() const;
  /// All but the prompt and what refers to it.
  RunRequest requestWithoutPrompt() const;
  LayerDetail detail() const;
};

}  // namespace equipatch::cli

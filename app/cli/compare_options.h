// SPDX-License-Identifier: GPL-3.0-or-later
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

struct RecordOptions {
  std::optional<std::string> out;
  bool force = false;
  bool factors = false;
  bool noPictures = false;

  void addTo(CLI::App& command);
  /// Null without --out. @throws Error as the constructor of RunRecorder, such as
  /// {BadInput} if the file exists and --force was not given.
  std::shared_ptr<RunRecorder> recorder(std::shared_ptr<RunSink> next) const;
};

/// Warns on standard error of each difference from the recorded run: weights, versions of
/// Equipatch and libtorch, processor, number of threads.
void warnOfDifferences(const RunHeader& recorded, const Session& session);

struct CompareOptions {
  SessionOptions session;
  PromptOptions prompt;
  RecordOptions record;
  std::optional<std::string> rerun;         ///< --rerun: a run file
  std::optional<std::string> continuation;  ///< --continue: likewise
  SavePatchedOptions savePatched;
  RunRequest request;
  std::string method{name(Method::Balanced)};
  std::string loop{name(Loop::Closed)};
  std::string application{name(Application::Factored)};
  std::optional<std::string> strengthLayers;
  std::optional<PositionRange> exactFor;
  int threads = 0;  // 0: the default
  bool separate = false;
  bool noBare = false;
  bool json = false;
  bool listLayers = false;

  void addTo(CLI::App& command);
  /// Checks what needs no model. @throws CLI::ParseError naming the option.
  void check() const;
  /// The settings of the run. `requestFor` adds the prompt, the images and the absorbed
  /// part.
  RunRequest requestWithoutPrompt() const;
  LayerDetail detail() const;
};

}  // namespace equipatch::cli

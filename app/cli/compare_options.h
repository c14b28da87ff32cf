#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "app/cli/options.h"
#include "app/cli/record_options.h"
#include "app/cli/rerun_options.h"
#include "app/cli/save_patched.h"
#include "core/record/export/export_json.h"
#include "core/record/run_request.h"

namespace equipatch::cli {

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

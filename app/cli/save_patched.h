#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <optional>

#include "app/cli/foreground.h"
#include "core/record/run_record.h"
#include "core/record/shared_patch_record.h"
#include "core/run/session.h"

namespace equipatch::cli {

/// --save-patched DIR --step K: a checkpoint with the patched weights of one step.
struct SavePatchedOptions {
  std::optional<std::string> folder;
  std::optional<std::int64_t> step;

  /// @returns the option --save-patched.
  CLI::Option* addTo(CLI::App& command);
  /// Before anything is computed. @throws CLI::ValidationError when a step is missing or
  /// beyond the run; Error{BadInput} when the run has no patch that weights could hold.
  void check(const RunRequest& request) const;
};

/// Hands on what a run tells, and keeps the record of one step.
class StepKeeper final : public RunSink {
 public:
  StepKeeper(StepIndex step, std::shared_ptr<RunSink> next)
      : m_step(step), m_next(std::move(next)) {}

  void runStarted(std::shared_ptr<const RunHeader> header) override;
  void stepTaken(std::shared_ptr<const StepRecord> record) override;

  const RunHeader& header() const { return *m_header; }
  const StepRecord* kept() const { return m_kept.get(); }  ///< null: not reached

 private:
  StepIndex m_step;
  std::shared_ptr<RunSink> m_next;
  std::shared_ptr<const RunHeader> m_header;
  std::shared_ptr<const StepRecord> m_kept;
};

/// Where a patch comes from and its checkpoint goes to.
struct SavedPatch {
  Foreground& foreground;
  const Session& session;
  const RunHeader& header;
  std::filesystem::path folder;
};

/// Writes the checkpoint, loads it again, and says what it makes of the token alone.
void savePatchedStep(const SavedPatch& saved, const StepKeeper& keeper);
void savePatchedTokens(const SavedPatch& saved, const SharedPatchRecord& record);

}  // namespace equipatch::cli

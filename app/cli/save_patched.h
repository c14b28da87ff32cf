// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <optional>

#include "app/cli/foreground.h"
#include "core/record/file/run_file.h"
#include "core/record/run_record.h"
#include "core/record/shared_patch_record.h"
#include "core/run/session.h"

namespace equipatch::cli {

/// --save-patched and --step: a checkpoint whose weights contain the patch of one step,
/// or of the tokens of --exact-for.
struct SavePatchedOptions {
  std::optional<std::string> folder;
  std::optional<std::int64_t> step;

  void addTo(CLI::App& command);
  /// Not for --exact-for, which needs no --step.
  /// @throws CLI::ValidationError when --save-patched was given without --step.
  void check() const;
  /// Makes the checkpoint's folder; does nothing without --save-patched. Call this before
  /// the run and after `check`, but not for --exact-for.
  /// @throws CLI::ValidationError when the step is beyond the run; Error{BadInput} when
  /// weights cannot hold the run's patch or the folder is not empty; Error as
  /// `requireStorable` and `makeCheckpointFolder`.
  void prepare(const RunRequest& request, const Session& session) const;
};

/// Forwards a run to the next sink and keeps the record of one step.
class StepKeeper final : public RunSink {
 public:
  /// @param forwarded whether forwarded records contain the patch's factors
  StepKeeper(StepIndex step, FactorDetail forwarded, std::shared_ptr<RunSink> next)
      : m_step(step), m_forwarded(forwarded), m_next(std::move(next)) {}

  void runStarted(std::shared_ptr<const RunHeader> header) override;
  void stepTaken(std::shared_ptr<const StepRecord> record) override;

  const RunHeader& header() const { return *m_header; }
  StepIndex step() const { return m_step; }
  std::int64_t steps() const { return m_steps; }  ///< taken so far
  /// Null until the run reaches the step.
  const StepRecord* kept() const { return m_kept.get(); }

 private:
  StepIndex m_step;
  FactorDetail m_forwarded;
  std::int64_t m_steps = 0;
  std::shared_ptr<RunSink> m_next;
  std::shared_ptr<const RunHeader> m_header;
  std::shared_ptr<const StepRecord> m_kept;
};

/// The run whose patch is saved, and the folder for the patched checkpoint.
struct PatchToSave {
  Foreground& foreground;
  const Session& session;
  const RunHeader& header;
  std::filesystem::path folder;
};

// Each function writes the patched checkpoint, loads it, and prints on standard error
// whether the checkpoint predicts, without the context, what the contextual pass does.
// @throws Error as `Backend::savePatched` and `checkSaved`.

/// @throws Error{BadInput} also when the run ended before the keeper's step.
void savePatchedStep(const PatchToSave& toSave, const StepKeeper& keeper);
void savePatchedTokens(const PatchToSave& toSave, const SharedPatchRecord& record);

}  // namespace equipatch::cli

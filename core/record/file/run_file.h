// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/record/file/run_rows.h"
#include "core/record/run_record.h"

namespace equipatch {

/// Whether to read a step's patch factors, the largest part of a file that has them.
enum class FactorDetail { Omit, Include };

/// A run file (.eqrun), open for reading; needs no model. The file may be damaged or
/// hostile: reading always ends and needs about as much memory as the file has bytes.
/// May be used by one thread at a time.
class RunFile {
 public:
  /// @throws Error{BadInput} when it is not a run file, is damaged at its start, or has a
  /// header that contradicts itself; Error{Unsupported} when a newer version wrote it;
  /// Error{Resource} when it cannot be read.
  explicit RunFile(const std::filesystem::path& path);
  ~RunFile();

  const std::filesystem::path& path() const;
  std::shared_ptr<const RunHeader> header() const;
  /// @throws Error{BadInput} where the file is damaged.
  RunEnding ending() const;
  /// In UTC, "2026-11-21T08:30:00Z"; empty if the file has no end time. @throws as
  /// `ending`.
  std::string endTime() const;
  /// The index of the last step plus one, or the largest int64 if the index cannot be
  /// read. Steps with smaller indices may be missing or damaged.
  std::int64_t stepCount() const;

  /// The step; its factors are null unless they are asked for and the run kept them.
  /// @throws Error{BadInput} when the step is not there or damaged.
  std::shared_ptr<const StepRecord> step(StepIndex index, FactorDetail detail) const;

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

/// All of a run file.
struct StoredRun {
  std::shared_ptr<const RunHeader> header;
  std::vector<std::shared_ptr<const StepRecord>> steps;  ///< without their factors
  RunEnding ending = RunEnding::Interrupted;
  std::string damage;  ///< why steps are missing, a sentence; usually empty
};

/// Makes what is kept of a step that was read, such as the step without its vectors.
using StepReduction =
    std::function<std::shared_ptr<const StepRecord>(std::shared_ptr<const StepRecord>)>;

/// Reads a run file up to its end, or up to the first step that cannot be read.
/// @param reduction is called for each step, so that the steps of a long run need not all
/// be in memory as they were recorded; empty: steps stay as they are
/// @throws Error as RunFile's constructor; Error{Cancelled}
StoredRun readRun(const std::filesystem::path& path, Progress& progress,
                  const StepReduction& reduction = {});
/// The same without progress.
StoredRun readRun(const std::filesystem::path& path);

}  // namespace equipatch

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

/// Whether to read a step's patch factors, which take most of a file that has them.
enum class FactorDetail { Omit, Include };

/// A run file (.eqrun), open for reading. The file may be damaged or hostile: reading
/// always ends and needs about as much memory as the file has bytes. Only one thread at a
/// time may use this object.
class RunFile {
 public:
  /// @throws Error{BadInput} when the file is not a run file, or its header is damaged or
  /// inconsistent; Error{Unsupported} when the file has a newer format; Error{Resource}
  /// when it cannot be read.
  explicit RunFile(const std::filesystem::path& path);
  ~RunFile();

  const std::filesystem::path& path() const;
  std::shared_ptr<const RunHeader> header() const;
  /// @throws Error{BadInput} when the file is damaged there.
  RunEnding ending() const;
  /// UTC, "2026-11-21T08:30:00Z"; empty if not recorded. @throws as `ending`.
  std::string endTime() const;
  /// The index of the last step plus one, or the largest int64 if the index cannot be
  /// read. Earlier steps may be missing or damaged.
  std::int64_t stepCount() const;

  /// The factors are null if omitted or not recorded.
  /// @throws Error{BadInput} when the step is missing or damaged.
  std::shared_ptr<const StepRecord> step(StepIndex index, FactorDetail detail) const;

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

struct StoredRun {
  std::shared_ptr<const RunHeader> header;
  std::vector<std::shared_ptr<const StepRecord>> steps;  ///< without their factors
  RunEnding ending = RunEnding::Interrupted;
  std::string damage;  ///< why steps are missing, a sentence; empty: none
};

/// Returns what is kept of a step, such as the step without its vectors.
using StepReduction =
    std::function<std::shared_ptr<const StepRecord>(std::shared_ptr<const StepRecord>)>;

/// Reads a run file up to its end, or up to the first step that cannot be read.
/// @param reduction is applied to each step before the next is read, to save memory;
/// empty: keeps whole steps
/// @throws Error as RunFile's constructor; Error{Cancelled}
StoredRun readRun(const std::filesystem::path& path, Progress& progress,
                  const StepReduction& reduction = {});
StoredRun readRun(const std::filesystem::path& path);

}  // namespace equipatch

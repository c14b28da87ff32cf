// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>

#include "core/base/progress.h"
#include "core/base/temporary_folder.h"
#include "core/run/bench/bench_report.h"
#include "core/run/session.h"

namespace equipatch {

/// A copy of a model in a temporary folder: config.json, and one file, model.safetensors,
/// with all weights except those of a vision tower. The destructor removes the folder.
class WrittenCheckpoint {
 public:
  /// @param place parent of the folder
  /// @throws Error{Resource} when writing fails; Error{Cancelled}.
  WrittenCheckpoint(const Checkpoint& checkpoint, const std::filesystem::path& place,
                    Progress& progress);

  const std::filesystem::path& folder() const { return m_folder.path(); }

 private:
  TemporaryFolder m_folder;
};

struct MeasuredModel {
  std::shared_ptr<const Session> session;
  BenchReport report;
};

/// Draws random weights, writes them to a disk that has room, loads the file as
/// `shape.place` says, and measures the loaded model. Also times steps with the drawn
/// weights if memory has room for a second copy of the model, and loading if memory then
/// has room for one more.
/// @param shape its `weights` must be Random or RandomWithTower; the file has no tower
/// @returns a session whose files are already removed: do not load them again
/// @throws Error{Resource} when no disk or memory has room; Error as `Session::open` and
/// `Backend::bench`; Error{Cancelled}.
MeasuredModel benchFromFile(const SessionRequest& shape, BenchRequest request,
                            Progress& progress);

}  // namespace equipatch

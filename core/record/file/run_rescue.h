// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

#include "core/base/error.h"
#include "core/record/file/sqlite.h"
#include "core/record/file/step_digest.h"
#include "core/record/run_record.h"

namespace equipatch {

/// A recording whose file was removed, replaced or damaged by another program.
struct LostRecording {
  const SqlDatabase& database;  ///< still open
  const RunHeader& header;      ///< with the continuation that computed `next`, if any
  std::int64_t steps = 0;       ///< written to the lost file
  std::span<const StepDigest> digests;  ///< of the last of these steps
  const StepRecord* next = nullptr;     ///< computed, not yet written; null if none
};

/// Copies the labels and the steps into a new run file. Stops before the first step that
/// cannot be read or has another digest. Adds `next` if all steps were copied. The new
/// file is "NAME-rescued.eqrun" ("NAME-rescued-2.eqrun" … if that name is taken), in the
/// lost file's folder or, if that is not writable, in the folder for temporary files.
/// @param what happened to the lost file: "was removed"
/// @returns the error to throw, which says how many steps were saved, and where
Error rescueSteps(const LostRecording& lost, const std::string& what);

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "core/record/run_record.h"
#include "core/record/step_record.h"

namespace equipatch::test {

/// The shape of a synthetic run.
struct RecordShape {
  int layers = 6;
  int width = 32;
  bool closesWithScale = true;
  bool closesWithBias = false;
  bool noise = false;
  bool audit = false;
  bool ablated = false;   ///< adds an ablated pass, keeps generated tokens
  int mismatchEvery = 0;  ///< 0: never
  bool computesFloat32 = false;
};

std::shared_ptr<const RunHeader> makeHeader(const RecordShape& shape = {});

/// A copy with another prompt; its second and third token are an image of 3 × 2 pixels.
std::shared_ptr<const RunHeader> withPicture(const RunHeader& header);

/// Plausible values that depend only on the arguments; Δm has an outlier channel. At
/// steps mismatchEvery−1, 2·mismatchEvery−1, … the most likely tokens of the contextual
/// and the patched pass differ and are nearly tied.
std::shared_ptr<const StepRecord> makeRecord(int step, const RecordShape& shape = {});

/// Ignores all results.
struct NullSink final : RunSink {
  void runStarted(std::shared_ptr<const RunHeader>) override {}
  void stepTaken(std::shared_ptr<const StepRecord>) override {}
};

/// Writes a complete run to a new run file; replaces the prompt by a single token.
void recordRun(const RunHeader& header,
               const std::vector<std::shared_ptr<const StepRecord>>& steps,
               const std::filesystem::path& path);

}  // namespace equipatch::test

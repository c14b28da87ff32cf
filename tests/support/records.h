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
  bool ablated = false;   ///< with an ablated pass; generated tokens are kept
  int mismatchEvery = 0;  ///< 0: never
  bool computesFloat32 = false;
};

std::shared_ptr<const RunHeader> makeHeader(const RecordShape& shape = {});

/// The same header with an image of 3 × 2 pixels at the prompt's second and third token.
std::shared_ptr<const RunHeader> withPicture(const RunHeader& header);

/// Plausible values that depend on the step and the shape only: L∞ varies around 3e-3,
/// norms vary over layers as in real runs, Δm has an outlier channel. At steps
/// mismatchEvery−1, 2·mismatchEvery−1, … the most likely tokens are nearly tied and
/// differ.
std::shared_ptr<const StepRecord> makeRecord(int step, const RecordShape& shape = {});

/// Ignores the results, for tests of recording alone.
struct NullSink final : RunSink {
  void runStarted(std::shared_ptr<const RunHeader>) override {}
  void stepTaken(std::shared_ptr<const StepRecord>) override {}
};

/// Records steps to a new run file, as a complete run; the prompt becomes a single token.
void recordRun(const RunHeader& header,
               const std::vector<std::shared_ptr<const StepRecord>>& steps,
               const std::filesystem::path& path);

}  // namespace equipatch::test

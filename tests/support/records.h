#pragma once

#include <memory>

#include "core/record/run_record.h"
#include "core/record/step_record.h"

namespace equipatch::test {

/// How the made-up run looks.
struct RecordShape {
  int layers = 6;
  int width = 32;
  bool closesWithScale = true;
  bool closesWithBias = false;
  bool noise = false;
  int mismatchEvery = 0;  ///< 0: never
};

std::shared_ptr<const RunHeader> makeHeader(const RecordShape& shape = {});

/// Plausible numbers that depend on the step only: L∞ grows slowly, layers' patches have
/// the shape of real ones, Δm has an outlier channel. Steps mismatchEvery−1,
/// 2·mismatchEvery−1, … are near-ties the patched pass loses.
std::shared_ptr<const StepRecord> makeRecord(int step, const RecordShape& shape = {});

}  // namespace equipatch::test

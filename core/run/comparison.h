#pragma once

#include <memory>

#include "core/base/progress.h"
#include "core/record/run_record.h"
#include "core/record/step_record.h"

namespace equipatch {

/// A comparison run, a step at a time: the contextual, the patched and the bare pass of
/// each new token. One thread at a time. `Backend::makeComparison` makes one.
class Comparison {
 public:
  virtual ~Comparison() = default;

  virtual const RunHeader& header() const = 0;

  /// Runs the context through the model once and fills its cache. Call before `step`.
  virtual void prefill(Progress& progress) = 0;

  /// True when all steps are taken, or the last token ended the sequence.
  virtual bool done() const = 0;

  /// Computes one step. @throws Error{Numeric} naming layer and site when an activation
  /// is not finite; the records so far stay valid.
  virtual std::shared_ptr<const StepRecord> step() = 0;
};

}  // namespace equipatch

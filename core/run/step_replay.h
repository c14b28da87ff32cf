#pragma once

#include <vector>

#include "core/base/ids.h"
#include "core/base/progress.h"
#include "core/record/run_request.h"
#include "core/record/strength_reading.h"

namespace equipatch {

/// A step of a recorded run: all that decides what its passes compute.
struct ReplayedStep {
  RunRequest request;            ///< the run's
  std::vector<TokenId> history;  ///< the prompt and what the run went on with, up to x

  bool operator==(const ReplayedStep&) const = default;
};

/// Takes a step again, as often as asked, with more or less of its patch. One thread at a
/// time.
class StepReplay {
 public:
  virtual ~StepReplay() = default;

  /// Goes to a step: computes its context and its patch, both to the last bit those of
  /// the run. Neighbouring steps of a run share what of their context is already there.
  /// @throws Error{BadInput} when the model cannot take the tokens; Error{Cancelled}.
  virtual void open(const ReplayedStep& step, Progress& progress) = 0;

  /// The patched pass alone with that much of the open step's patch: one row through the
  /// model. Call after `open`.
  virtual StrengthReading read(const PatchStrength& strength) = 0;
};

}  // namespace equipatch

#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/ids.h"
#include "core/base/progress.h"
#include "core/patch/patch_options.h"
#include "core/record/run_record.h"
#include "core/record/run_request.h"
#include "core/record/step_record.h"
#include "core/text/token.h"

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

/// Which tokens one patch shall serve.
struct SharedPatchRequest {
  std::vector<Token> prompt;
  /// Positions, both included. Everything before `first` is absorbed; the tokens see each
  /// other. Beyond the prompt they are those the model generates greedily.
  std::int64_t first = 0;
  std::int64_t last = 0;
  Application application = Application::Factored;
};

}  // namespace equipatch

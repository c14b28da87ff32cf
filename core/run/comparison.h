#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/base/progress.h"
#include "core/record/run_record.h"
#include "core/record/run_request.h"
#include "core/record/step_record.h"
#include "core/run/session.h"

namespace equipatch {

/// A comparison run, a step at a time: the contextual, the patched and the bare pass of
/// each new token. One thread at a time.
class Comparison {
 public:
  /// Checks the request against the model. @throws Error{BadInput} with what does not fit
  /// (no tokens, an id beyond the vocabulary, more positions than the model has).
  Comparison(std::shared_ptr<const Session> session, RunRequest request);
  ~Comparison();

  const RunHeader& header() const;

  /// Runs the context through the model once and fills its cache. Call before `step`.
  void prefill(Progress& progress);

  /// True when all steps are taken, or the last token ended the sequence.
  bool done() const;

  /// Computes one step. @throws Error{Numeric} naming layer and site when an activation
  /// is not finite; the records so far stay valid.
  std::shared_ptr<const StepRecord> step();

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
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

/// A comparison run, computed step by step. Use it from one thread at a time.
/// `Backend::makeComparison` makes one.
class Comparison {
 public:
  virtual ~Comparison() = default;

  virtual const RunHeader& header() const = 0;

  /// Fills the KV cache with the context. Call once, before `step`.
  /// @throws Error{Cancelled}.
  virtual void prefill(Progress& progress) = 0;

  /// Skips the steps that an earlier run with the same request took. On a CPU, the later
  /// steps are the same to the last bit as if this run had computed the skipped ones.
  /// Call once, after `prefill` and before `step`.
  /// @param continued the tokens that the skipped steps appended to the history, in order
  /// @throws Error{BadInput} when there are more tokens than the request has steps, or a
  /// token is outside the vocabulary; Error{Cancelled}.
  virtual void resume(const std::vector<TokenId>& continued, Progress& progress) = 0;

  /// True after the last step or an end-of-sequence token.
  virtual bool done() const = 0;

  /// Computes the next step. Call only while `done` is false.
  /// @throws Error{Numeric} naming layer and site when an activation of the contextual
  /// pass is not finite; Error{Cancelled} between two layers. After an error, earlier
  /// records stay valid, but no further step can be computed.
  virtual std::shared_ptr<const StepRecord> step(Progress& progress) = 0;
  std::shared_ptr<const StepRecord> step() {
    SilentProgress silent;
    return step(silent);
  }
};

/// A step of a recorded run: everything that determines its passes.
struct ReplayedStep {
  RunRequest request;            ///< the run's
  std::vector<TokenId> history;  ///< prompt and generated tokens; ends with the step's x

  bool operator==(const ReplayedStep&) const = default;
};

/// Recomputes a step at other strengths of its patch. Use it from one thread at a time.
class StepReplay {
 public:
  virtual ~StepReplay() = default;

  /// Computes a step's context and patch as the run did.
  /// @throws Error{BadInput} when the step does not fit the model; Error{Resource} when
  /// the memory has no room for the context; Error{Numeric} as `Comparison::step`;
  /// Error{Cancelled}.
  virtual void open(const ReplayedStep& step, Progress& progress) = 0;

  /// Runs the patched pass alone, with the open step's patch at this strength. Call after
  /// `open`. @throws Error{Cancelled} between two layers; the step then stays open.
  virtual StrengthReading read(const PatchStrength& strength, Progress& progress) = 0;
  StrengthReading read(const PatchStrength& strength) {
    SilentProgress silent;
    return read(strength, silent);
  }
};

/// The tokens that one patch covers.
struct SharedPatchRequest {
  std::vector<Token> prompt;
  std::vector<PromptImage> images = {};  ///< all before `first`
  /// Positions of the first and of the last token that the patch covers. All tokens
  /// before `first` are absorbed; a covered token still attends to earlier covered
  /// tokens. Positions beyond the prompt hold tokens that the model generates greedily.
  std::int64_t first = 0;
  std::int64_t last = 0;
  Application application = Application::Factored;
};

}  // namespace equipatch

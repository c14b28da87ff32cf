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

/// A comparison run, computed step by step: the contextual, the patched and the bare pass
/// for each new token. One thread at a time. `Backend::makeComparison` makes one.
class Comparison {
 public:
  virtual ~Comparison() = default;

  virtual const RunHeader& header() const = 0;

  /// Runs the context through the model and fills the KV cache. Call once, before `step`.
  /// @throws Error{Cancelled} after a stop request.
  virtual void prefill(Progress& progress) = 0;

  /// Continues after steps that an earlier run with the same request took, as if this run
  /// had taken them: on a CPU, all later steps are the same to the last bit. Call once,
  /// after `prefill` and before `step`.
  /// @param continued the tokens that these steps appended to the history, in order
  /// @throws Error{BadInput} when there are more tokens than the request has steps, or a
  /// token is outside the vocabulary; Error{Cancelled}.
  virtual void resume(const std::vector<TokenId>& continued, Progress& progress) = 0;

  /// True after the last step, or when a token ended the sequence.
  virtual bool done() const = 0;

  /// Computes one step, and reports progress by layer where a step takes long. Call only
  /// while `done` is false.
  /// @throws Error{Numeric} naming layer and site when an activation of the contextual
  /// pass is not finite; Error{Cancelled} between two layers. The records so far stay
  /// valid, and no further step can be computed.
  virtual std::shared_ptr<const StepRecord> step(Progress& progress) = 0;
  std::shared_ptr<const StepRecord> step() {
    SilentProgress silent;
    return step(silent);
  }
};

/// A step of a recorded run: everything that determines its passes.
struct ReplayedStep {
  RunRequest request;            ///< the run's
  std::vector<TokenId> history;  ///< prompt and generated tokens, up to StepRecord::x

  bool operator==(const ReplayedStep&) const = default;
};

/// Recomputes a step with more or less of its patch. One thread at a time.
class StepReplay {
 public:
  virtual ~StepReplay() = default;

  /// Computes a step's context and patch as the run did. Steps of one run reuse the
  /// common part of the KV cache.
  /// @throws Error{BadInput} when the model cannot take the tokens; Error{Resource} when
  /// the memory has no room for the context; Error{Numeric} as `Comparison::step`;
  /// Error{Cancelled}.
  virtual void open(const ReplayedStep& step, Progress& progress) = 0;

  /// Runs the patched pass alone, with the open step's patch at this strength: at most
  /// one row through the model. Call after `open`. @throws Error{Cancelled} between two
  /// layers; the step then stays open.
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
  /// Positions of the first and of the last token that the patch covers. Everything
  /// before `first` is absorbed; each covered token still attends to the covered tokens
  /// before it. Positions beyond the prompt hold the tokens that the model generates
  /// greedily.
  std::int64_t first = 0;
  std::int64_t last = 0;
  Application application = Application::Factored;
};

}  // namespace equipatch

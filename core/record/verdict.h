// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/run_request.h"
#include "core/record/step_record.h"

namespace equipatch {

/// The largest distance of the contextual pass from its noise references, which repeat
/// the pass with other rounding: one with every sum in another order and, where
/// activations are rounded, one without that rounding. The second is needed because short
/// sums do not depend on the order, while rounding the residual stream still changes the
/// result.
struct NoiseFloor {
  double linf = 0.0;           ///< of logits
  std::vector<double> layers;  ///< of the hidden error, by layer
  bool measured = false;
  bool overflowed = false;  ///< the logits of a noise reference hold NaN or infinity

  /// Raises the floor to the step's noise, if it was measured. Skips distances that are
  /// not finite, because no error could exceed an infinite floor.
  void include(const StepRecord& step);
};

NoiseFloor floorOf(const StepRecord& step);
/// The largest values over a run's steps.
NoiseFloor floorOf(const std::vector<std::shared_ptr<const StepRecord>>& steps);

enum class VerdictKind {
  Exact,     ///< L∞ is 0, or L∞ ≤ floor and the tokens agree
  Rounding,  ///< L∞ ≤ kRoundingReach × floor, and the tokens agree
  NearTie,   ///< L∞ ≤ kRoundingReach × floor, but the tokens differ
  /// L∞ is larger, or a logit is not finite: the method is inexact or amplifies rounding.
  MethodError,
  /// L∞ is finite, but strength or layers changed the patch: a difference is expected.
  PartOfPatch,
  Unmeasured,  ///< L∞ is finite, not 0, and there is no noise floor to compare with
};
constexpr std::size_t kVerdictKinds = 6;

/// The rank of a verdict; the largest is the worst. Only MethodError is worse than
/// Unmeasured.
int severity(VerdictKind kind);

struct Verdict {
  VerdictKind kind = VerdictKind::Unmeasured;
  /// Only with MethodError: the first layer whose hidden error is not finite or, if L∞ is
  /// finite, exceeds kRoundingReach × the layer's noise floor.
  std::optional<std::int64_t> layer;
  std::string sentence;  ///< the verdict with its reason
};

/// Rounding can explain an L∞ of up to `kRoundingReach` × floor, because the patched pass
/// accumulates rounding errors along another path than the contextual pass.
Verdict judge(const StepRecord& step, const NoiseFloor& floor,
              const PatchStrength& strength);
constexpr double kRoundingReach = 10.0;

/// "exact", "rounding", "near_tie", "method_error", "part_of_patch", "unmeasured".
std::string_view name(VerdictKind kind);
/// The name as shown to people: "near tie", and "within noise" for Exact.
std::string spelled(VerdictKind kind);

/// Number of steps per verdict.
using VerdictCounts = std::array<std::int64_t, kVerdictKinds>;
VerdictCounts countVerdicts(const std::vector<std::shared_ptr<const StepRecord>>& steps,
                            const NoiseFloor& floor, const PatchStrength& strength);
/// The worst verdict of a run's steps, judged by the run's floor; Exact without steps.
VerdictKind worstVerdict(const std::vector<std::shared_ptr<const StepRecord>>& steps,
                         const PatchStrength& strength);
VerdictKind worse(VerdictKind a, VerdictKind b);

}  // namespace equipatch

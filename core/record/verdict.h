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

/// The largest distance between the contextual pass and itself when only rounding
/// changes, measured on this model, dtype, machine and prompt.
///
/// There are two noise references: the pass with every sum in another order and, where
/// activations are rounded, the pass without that rounding. The second is needed because
/// short sums do not depend on the order, while rounding the residual stream still
/// changes the result.
struct NoiseFloor {
  double linf = 0.0;           ///< of logits
  std::vector<double> layers;  ///< of the hidden error, by layer
  bool measured = false;
  bool overflowed = false;  ///< the logits of a noise reference hold NaN or infinity

  /// Raises the floor to what the step measured, if anything. Distances that are not
  /// finite are left out, because no error could exceed an infinite floor.
  void include(const StepRecord& step);
};

/// The floor measured by one step alone.
NoiseFloor floorOf(const StepRecord& step);
/// The floor of a run: the largest values over its steps.
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

/// The rank of a verdict from good to bad; the largest is the worst. Only MethodError is
/// worse than Unmeasured.
int severity(VerdictKind kind);

struct Verdict {
  VerdictKind kind = VerdictKind::Unmeasured;
  /// The first layer whose hidden error exceeds kRoundingReach × its floor or is not
  /// finite; only with MethodError.
  std::optional<std::int64_t> layer;
  std::string sentence;  ///< the verdict in words, with its numbers
};

/// Judges a step by its L∞ and by whether the most likely tokens agree. Rounding can
/// explain an L∞ above the floor, up to `kRoundingReach` times the floor, because the
/// patched pass accumulates rounding errors along another path.
Verdict judge(const StepRecord& step, const NoiseFloor& floor,
              const PatchStrength& strength);
constexpr double kRoundingReach = 10.0;

/// "exact", "rounding", "near_tie", "method_error", "part_of_patch", "unmeasured".
std::string_view name(VerdictKind kind);
/// The name as shown to people: "near tie", and "within noise" for what files call
/// "exact".
std::string spelled(VerdictKind kind);

/// Number of steps per verdict, all steps judged by one floor.
using VerdictCounts = std::array<std::int64_t, kVerdictKinds>;
VerdictCounts countVerdicts(const std::vector<std::shared_ptr<const StepRecord>>& steps,
                            const NoiseFloor& floor, const PatchStrength& strength);
/// The worst verdict of a run's steps by `severity`, judged by the run's floor; Exact if
/// there are no steps.
VerdictKind worstVerdict(const std::vector<std::shared_ptr<const StepRecord>>& steps,
                         const PatchStrength& strength);
/// The verdict of higher severity.
VerdictKind worse(VerdictKind a, VerdictKind b);

}  // namespace equipatch

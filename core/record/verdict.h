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

/// How far the contextual pass is from itself when nothing but rounding changes: measured
/// on this model, dtype, machine and prompt, the largest of what was seen.
///
/// Two witnesses: the pass with every sum taken in another order, and in 16-bit dtypes
/// the pass without rounding of activations. The second is needed where sums of few
/// numbers come out the same in any order, although every rounding of the residual stream
/// still moves the result.
struct NoiseFloor {
  double linf = 0.0;           ///< of logits
  std::vector<double> layers;  ///< of the hidden error, by layer
  bool measured = false;

  /// Takes up what a record measured, if anything.
  void include(const StepRecord& step);
};

/// What one step alone measured.
NoiseFloor floorOf(const StepRecord& step);

enum class VerdictKind {
  Exact,        ///< the passes differ by no more than the contextual one from itself
  Rounding,     ///< by more, but within an order of magnitude; the tokens agree
  NearTie,      ///< as before, and two nearly equal logits changed places
  MethodError,  ///< more than rounding explains
  PartOfPatch,  ///< the run applied less (or more) than the patch: a difference is due
  Unmeasured,   ///< there is no noise floor to compare with
};
constexpr std::size_t kVerdictKinds = 6;

struct Verdict {
  VerdictKind kind = VerdictKind::Unmeasured;
  /// The first layer whose hidden error left the floor; only with MethodError.
  std::optional<std::int64_t> layer;
  std::string sentence;  ///< in words, with the numbers it rests on
};

/// What a step's L∞ and margin mean. Rounding may reach `kRoundingReach` times the
/// floor: in a pass of its own it accumulates along another path.
Verdict judge(const StepRecord& step, const NoiseFloor& floor,
              const PatchStrength& strength);
constexpr double kRoundingReach = 10.0;

/// "exact", "rounding", "near_tie", "method_error", "part_of_patch", "unmeasured".
std::string_view name(VerdictKind kind);
/// The same for people: "near tie".
std::string spelled(VerdictKind kind);

/// How often each verdict is given when all steps are held against one floor.
using VerdictCounts = std::array<std::int64_t, kVerdictKinds>;
VerdictCounts countVerdicts(const std::vector<std::shared_ptr<const StepRecord>>& steps,
                            const NoiseFloor& floor, const PatchStrength& strength);

}  // namespace equipatch

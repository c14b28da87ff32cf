// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/patch/low_rank.h"

namespace equipatch {

/// One expert's term of a MoE block's output Σ s_e W_e h_e.
struct ExpertOutput {
  double gate = 1.0;  ///< s_e
  Vector h;           ///< input of its down projection [mlpWidth]
};

/// How the missing output δ is split among experts; δ_e is the part of expert e.
enum class MoeSplit {
  /// The smallest Σ‖ΔW_e‖²: δ_e = δ s_e ‖h_e‖² / Σ_f s_f² ‖h_f‖².
  LeastNorm,
  /// Lemma 11 as printed: δ_e = δ / Σ_f s_f.
  Equal,
};

/// Output control of a MoE block's down projections [G, Lemma 11]:
///   ΔW_e = δ_e h_eᵀ / ‖h_e‖²  with  Σ_e s_e δ_e = δ,
///   so that Σ_e s_e (W_e + ΔW_e) h_e = Σ_e s_e W_e h_e + δ.
/// The lemma requires S = Σ s_e ≠ 0; LeastNorm does not.
/// @param missing δ [outputs], what the sum lacks
/// @returns a change for each expert in the order given; no changes at all if every
///          s_e h_e is 0 or, for Equal, if some h_e or S is 0.
std::optional<std::vector<RankOne>> outputExperts(const Vector& missing,
                                                  std::vector<ExpertOutput> experts,
                                                  MoeSplit split);

}  // namespace equipatch

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

/// How experts share the missing output δ: expert e adds δ_e to W_e h_e.
enum class MoeSplit {
  /// The smallest Σ‖ΔW_e‖²: δ_e = δ s_e ‖h_e‖² / Σ_f s_f² ‖h_f‖².
  LeastNorm,
  /// Lemma 11 as printed: δ_e = δ / S, where S = Σ_f s_f.
  Equal,
};

/// Output control of a MoE block's down projections [G, Lemma 11]:
///   ΔW_e = δ_e h_eᵀ / ‖h_e‖²  with  Σ_e s_e δ_e = δ,
///   so that Σ_e s_e (W_e + ΔW_e) h_e = Σ_e s_e W_e h_e + δ.
/// @param missing δ [outputs], what the sum lacks
/// @returns one change per expert, in the order given. LeastNorm returns nothing if every
///          s_e h_e is 0, Equal if S or some h_e is 0.
std::optional<std::vector<RankOne>> outputExperts(const Vector& missing,
                                                  std::vector<ExpertOutput> experts,
                                                  MoeSplit split);

}  // namespace equipatch

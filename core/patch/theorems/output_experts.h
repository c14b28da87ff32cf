// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/patch/low_rank.h"

namespace equipatch {

/// One expert's term of a MoE block's output Σ s_e W_e h_e.
struct ExpertOutput {
  double gate = 1.0;  ///< s_e
  Vector h;           ///< its down projection's input [mlpWidth]
};

/// How the missing output is split among experts.
enum class MoeSplit {
  LeastNorm,  ///< the smallest Σ‖ΔW_e‖²: W_e gets s_e ‖h_e‖² / Σ_f s_f² ‖h_f‖² of it
  Equal,  ///< Lemma 11 as printed: each gets 1 / Σ_f s_f of it
};

/// Output control of a MoE block's down projections [G, Lemma 11]:
///   ΔW_e = δ_e h_eᵀ / ‖h_e‖²  with  Σ_e s_e δ_e = δ,  so that Σ_e s_e (W_e + ΔW_e) h_e
/// is what it was plus δ. The lemma requires S = Σ s_e ≠ 0; LeastNorm does not.
/// @param missing δ [outputs], what the sum lacks
/// @returns a change for each expert in the order given; no changes at all if every
///          s_e h_e is 0 or, for Equal, if some h_e or S is 0.
std::optional<std::vector<RankOne>> outputExperts(const Vector& missing,
                                                  std::vector<ExpertOutput> experts,
                                                  MoeSplit split);

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "core/checkpoint/layer_spec.h"
#include "core/patch/layer_record.h"
#include "core/patch/low_rank.h"

namespace equipatch {

/// One matrix's change: RankOne for one token, LowRank for several.
template <typename Change>
struct MatrixPatchOf {
  MatrixId matrix;
  Change change;
};

/// The changed weights of one layer.
template <typename Change>
struct LayerPatchOf {
  std::vector<MatrixPatchOf<Change>> matrices;  ///< each at most once
  std::optional<Vector> scale;  ///< m' [width] of the closing norm, in place of m
  std::optional<Vector> bias;   ///< b' [width] of the closing bias, in place of b
  /// m₁' [width] of the norm after a dense MLP beside experts, in place of m₁.
  std::optional<Vector> denseScale = std::nullopt;

  bool empty() const { return matrices.empty() && !scale && !bias && !denseScale; }
  /// Null where the matrix is unchanged.
  const Change* find(MatrixId matrix) const {
    const auto found =
        std::ranges::find(matrices, matrix, &MatrixPatchOf<Change>::matrix);
    return found == matrices.end() ? nullptr : &found->change;
  }
};

using MatrixPatch = MatrixPatchOf<RankOne>;
using LayerPatch = LayerPatchOf<RankOne>;
/// One token's patch, an entry per layer.
using Patch = std::vector<LayerPatch>;

using SharedLayerPatch = LayerPatchOf<LowRank>;
/// One patch for several tokens, an entry per layer. No bias is changed, because a bias
/// would add the same output for every token.
using SharedPatch = std::vector<SharedLayerPatch>;

/// The norms of a layer's changes by matrix name. Experts' matrices of the same name have
/// the norm sqrt(Σ‖ΔW_e‖²), relative to sqrt(Σ‖W_e‖²).
class ChangeLedger {
 public:
  void clear() { m_entries.clear(); }
  /// Enters a matrix in use, even if unchanged. @param whole ‖W‖_F
  void enter(const std::string& matrix, double whole);
  /// @param change ‖ΔW‖_F of a matrix that was entered before
  void change(const std::string& matrix, double change);
  /// In the order in which matrices were first entered.
  std::vector<MatrixPatchNorm> totals() const;

 private:
  struct Entry {
    std::string matrix;
    double changeSquare = 0.0;
    double wholeSquare = 0.0;
  };

  Entry& entry(const std::string& matrix);

  std::vector<Entry> m_entries;
};

/// Sets the record's values of Δm. @param delta Δm [width]
void recordScaleDelta(const Vector& delta, LayerRecord& record);

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/patch/layer_record.h"
#include "core/patch/low_rank.h"

namespace equipatch {

/// Adds up how much a layer's patch changes its matrices. Matrices of one name, those of
/// the experts of a MoE block, count together: sqrt(Σ‖ΔW_e‖²) over sqrt(Σ‖W_e‖²).
class ChangeLedger {
 public:
  void clear() { m_entries.clear(); }
  /// A matrix in use, changed or not. @param whole ‖W‖_F
  void enter(const std::string& matrix, double whole);
  /// @param change ‖ΔW‖_F of a matrix that was entered before
  void change(const std::string& matrix, double change);
  /// In the order of their first entry.
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

/// Enters the change of a closing norm's scale [width].
void recordScaleDelta(const Vector& delta, LayerRecord& record);

}  // namespace equipatch

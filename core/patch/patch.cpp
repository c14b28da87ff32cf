// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/patch.h"

#include <algorithm>
#include <cmath>

namespace equipatch {

ChangeLedger::Entry& ChangeLedger::entry(const std::string& matrix) {
  const auto known = std::ranges::find(m_entries, matrix, &Entry::matrix);
  return known != m_entries.end() ? *known : m_entries.emplace_back(Entry{matrix});
}

void ChangeLedger::enter(const std::string& matrix, double whole) {
  entry(matrix).wholeSquare += whole * whole;
}

void ChangeLedger::change(const std::string& matrix, double change) {
  entry(matrix).changeSquare += change * change;
}

std::vector<MatrixPatchNorm> ChangeLedger::totals() const {
  std::vector<MatrixPatchNorm> totals;
  for (const Entry& entry : m_entries)
    totals.push_back({entry.matrix, std::sqrt(entry.changeSquare),
                      entry.wholeSquare == 0.0
                          ? 0.0
                          : std::sqrt(entry.changeSquare / entry.wholeSquare)});
  return totals;
}

void recordScaleDelta(const Vector& delta, LayerRecord& record) {
  record.scaleNorm = delta.norm();
  record.scaleMax = delta.cwiseAbs().maxCoeff();
  record.scaleDelta.clear();
  for (const double change : delta)
    record.scaleDelta.push_back(static_cast<float>(change));
}

}  // namespace equipatch

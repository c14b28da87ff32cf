#include "core/patch/hooks/change_ledger.h"

#include <algorithm>
#include <cmath>

namespace equipatch {

ChangeLedger::Entry& ChangeLedger::entry(const std::string& matrix) {
  const auto known = std::find_if(m_entries.begin(), m_entries.end(),
                                  [&](const Entry& one) { return one.matrix == matrix; });
  if (known != m_entries.end()) return *known;
  return m_entries.emplace_back(Entry{matrix});
}

void ChangeLedger::enter(const std::string& matrix, double whole) {
  entry(matrix).wholeSquare += whole * whole;
}

void ChangeLedger::change(const std::string& matrix, double change) {
  entry(matrix).changeSquare += change * change;
}

std::vector<MatrixChange> ChangeLedger::totals() const {
  std::vector<MatrixChange> totals;
  for (const Entry& entry : m_entries)
    totals.push_back({entry.matrix, std::sqrt(entry.changeSquare),
                      entry.wholeSquare > 0.0
                          ? std::sqrt(entry.changeSquare / entry.wholeSquare)
                          : 0.0});
  return totals;
}

}  // namespace equipatch

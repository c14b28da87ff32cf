#include "core/patch/change_ledger.h"

#include <algorithm>
#include <cmath>

namespace equipatch {

void ChangeLedger::add(const std::string& matrix, double change, double whole) {
  auto entry = std::find_if(m_entries.begin(), m_entries.end(),
                            [&](const Entry& known) { return known.matrix == matrix; });
  if (entry == m_entries.end()) entry = m_entries.insert(m_entries.end(), Entry{matrix});
  entry->changeSquare += change * change;
  entry->wholeSquare += whole * whole;
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

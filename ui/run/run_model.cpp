#include "ui/run/run_model.h"

#include <algorithm>
#include <utility>

namespace equipatch {

const StepRecord* RunModel::find(int index) const {
  if (index < 0 || index >= stepCount()) return nullptr;
  return m_steps[std::size_t(index)].get();
}

double RunModel::recentMilliseconds() const {
  constexpr int kRecent = 16;
  const int first = std::max(0, stepCount() - kRecent);
  double sum = 0.0;
  for (int i = first; i < stepCount(); ++i) sum += step(i).milliseconds;
  return empty() ? 0.0 : sum / (stepCount() - first);
}

int RunModel::nextMismatch(int from) const {
  const int count = stepCount();
  for (int offset = 1; offset <= count; ++offset) {
    const int index = (from + offset) % count;
    if (!step(index).match) return index;
  }
  return -1;
}

void RunModel::begin(std::shared_ptr<const RunHeader> header) {
  m_header = std::move(header);
  m_steps.clear();
  m_floor = {};
  m_mismatches = 0;
  Q_EMIT begun();
}

void RunModel::append(const std::vector<Record>& records) {
  if (records.empty()) return;
  const int first = stepCount();
  for (const Record& record : records) {
    m_steps.push_back(record);
    m_floor.include(*record);
    if (!record->match) ++m_mismatches;
  }
  Q_EMIT appended(first);
}

}  // namespace equipatch

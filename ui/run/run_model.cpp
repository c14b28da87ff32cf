// SPDX-License-Identifier: GPL-3.0-or-later
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
  m_sampledDifferences.reset();
  Q_EMIT runStarted();
}

void RunModel::append(const std::vector<Record>& records) {
  if (records.empty()) return;
  const int first = stepCount();
  for (const Record& record : records) {
    m_steps.push_back(record);
    m_floor.include(*record);
    if (!record->match) ++m_mismatches;
    if (record->sampledMatch)
      m_sampledDifferences =
          m_sampledDifferences.value_or(0) + (*record->sampledMatch ? 0 : 1);
  }
  Q_EMIT stepsAppended(first);
}

void Selection::reset() {
  m_stepCount = 0;
  setStep(kNone);
  setFollowing(true);
}

void Selection::deselect() {
  setStep(kNone);
  setFollowing(true);
  selectLayer(kNone);
}

void Selection::setStepCount(int count) {
  m_stepCount = count;
  if (m_following || m_step >= count) setStep(count - 1);
}

void Selection::setLayerCount(int count) {
  m_layerCount = count;
  if (m_layer >= count) selectLayer(kNone);
}

void Selection::selectStep(int step) {
  if (m_stepCount == 0) return;
  setFollowing(false);
  setStep(std::clamp(step, 0, m_stepCount - 1));
}

void Selection::moveStep(int by) {
  if (m_step != kNone) selectStep(m_step + by);
}

void Selection::selectLayer(int layer) {
  const int wanted = layer >= 0 && layer < m_layerCount ? layer : kNone;
  if (wanted == m_layer) return;
  m_layer = wanted;
  Q_EMIT layerChanged(m_layer);
}

void Selection::moveLayer(int by) {
  if (m_layerCount == 0) return;
  const int from = m_layer == kNone ? (by > 0 ? -1 : m_layerCount) : m_layer;
  selectLayer(std::clamp(from + by, 0, m_layerCount - 1));
}

void Selection::followNewest() {
  setFollowing(true);
  setStep(m_stepCount - 1);
}

void Selection::setStep(int step) {
  if (step == m_step) return;
  m_step = step;
  Q_EMIT stepChanged(m_step);
}

void Selection::setFollowing(bool following) {
  if (following == m_following) return;
  m_following = following;
  Q_EMIT followingChanged(m_following);
}

}  // namespace equipatch

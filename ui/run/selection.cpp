#include "ui/run/run_model.h"

#include <algorithm>

namespace equipatch {

void Selection::reset() {
  m_stepCount = 0;
  setStep(kNone);
  setFollowing(true);
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompt/token_strip_geometry.h"

#include <algorithm>

namespace equipatch {

void TokenStripGeometry::append(int textWidth) {
  const int width = std::max(kMinWidth, textWidth + 2 * kPadding);
  m_lefts.push_back(m_lefts.back() + width + kGap);
}

QRect TokenStripGeometry::chip(int index) const {
  const int left = m_lefts.at(std::size_t(index));
  const int right = m_lefts.at(std::size_t(index) + 1) - kGap;
  return {left, kMargin, right - left, m_lineHeight + kChipPadding};
}

QRect TokenStripGeometry::below(int index) const {
  const QRect above = chip(index);
  return above.translated(0, above.height() + kRowGap);
}

int TokenStripGeometry::indexAt(int x) const {
  if (x < m_lefts.front() || x >= m_lefts.back()) return -1;
  const auto after = std::upper_bound(m_lefts.begin(), m_lefts.end(), x);
  return int(after - m_lefts.begin()) - 1;
}

TokenStripGeometry::Range TokenStripGeometry::visible(int left, int right) const {
  if (count() == 0 || right <= m_lefts.front() || left >= m_lefts.back() || left >= right)
    return {};
  const int first = std::max(0, indexAt(std::max(left, m_lefts.front())));
  const int last = indexAt(std::min(right, m_lefts.back()) - 1);
  return {first, last + 1};
}

int TokenStripGeometry::scrollToShow(int index, int scroll, int viewWidth) const {
  const QRect place = chip(index);
  const int leftMost = place.right() + 1 + kMargin - viewWidth;
  const int rightMost = place.left() - kMargin;
  return std::min(std::max(scroll, leftMost), rightMost);
}

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <algorithm>
#include <cmath>

namespace equipatch::test {

/// A channel of sRGB, 0 to 1, as an amount of light.
inline double linearLight(double channel) {
  return channel <= 0.03928 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

/// The contrast ratio of WCAG 2, from 1 to 21.
inline double contrast(const QColor& a, const QColor& b) {
  const auto luminance = [](const QColor& c) {
    return 0.2126 * linearLight(c.redF()) + 0.7152 * linearLight(c.greenF()) +
           0.0722 * linearLight(c.blueF()) + 0.05;
  };
  const double la = luminance(a), lb = luminance(b);
  return std::max(la, lb) / std::min(la, lb);
}

}  // namespace equipatch::test

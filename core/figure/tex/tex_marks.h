// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/figure/figure.h"

namespace equipatch {

// The marks on the points of curves as pgfplots code.

enum class TexLine { Solid, Broken };

/// The options of a curve's marks, which stay solid on a broken line.
std::string texMark(const FigureCurve& curve, TexLine line);

/// Declares the star of eight arms, before the figure; pgfplots has none of eight.
std::string texStarMark();

}  // namespace equipatch

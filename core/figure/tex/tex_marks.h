// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/figure/figure.h"

namespace equipatch {

// The marks on the points of curves as pgfplots code.

enum class TexLine { Solid, Broken };

/// The options of a curve's marks, each with a comma before it. Outlines of marks are
/// solid on a broken line too.
std::string texMark(const FigureCurve& curve, TexLine line);

/// Declares the star of eight arms, which pgfplots lacks. Belongs before the figure.
std::string texStarMark();

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/figure/figure.h"

namespace equipatch {

/// Size of a figure in a paper.
struct TexSize {
  double width = 3.25;  ///< inches
  double height = 0.0;  ///< inches, labels included; 0: what the panels need
};

/// The figure as pgfplots, for \input in a document with \usepackage{pgfplots} and
/// \usepgfplotslibrary{groupplots,statistics}, compat=1.16. A heat map is pooled to at
/// most 200 columns. Sizes are estimates, because LaTeX typesets the text. If the axes
/// would be too narrow side by side, all panels stand in one column, unless every panel
/// has boxes or bars.
/// @throws Error{BadInput} when the panels do not fit into the width or the height
std::string figureTex(const Figure& figure, const TexSize& size);

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/figure/figure.h"

namespace equipatch {

/// Size of a figure in a paper.
struct TexSize {
  double width = 3.25;  ///< inches
  double height = 0.0;  ///< inches, with all labels; 0: what the panels need
};

/// The figure as pgfplots, for \input in a document with \usepackage{pgfplots} and
/// \usepgfplotslibrary{groupplots,statistics}, compat=1.16. The file contains the data; a
/// heat map is pooled to at most 200 columns, and each cell shows the pooled value of
/// largest magnitude. Sizes are estimates, because LaTeX typesets the text. If axes
/// side by side would be too narrow, all panels stand in one column, unless each of them
/// has rows of boxes or bars.
/// @throws Error{BadInput} when the panels do not fit into the width or the height
std::string figureTex(const Figure& figure, const TexSize& size);

}  // namespace equipatch

#pragma once

#include <string>

#include "core/figure/figure.h"

namespace equipatch {

/// How large a figure is in a paper.
struct TexSize {
  double width = 3.25;  ///< inches
  double height = 0.0;  ///< inches; 0: 0.75 of a panel's width for each row
};

/// The figure as pgfplots, to be \input into a document that has \usepackage{pgfplots}
/// and \usepgfplotslibrary{groupplots,statistics}. The data stand in the same file; a
/// heat map is pooled to at most 200 columns, extremes kept.
std::string figureTex(const Figure& figure, const TexSize& size);

}  // namespace equipatch

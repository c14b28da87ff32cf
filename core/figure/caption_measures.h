// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/figure/figure.h"
#include "core/figure/run_figures.h"

namespace equipatch {

/// True if the name of a curve begins with the word. Names of runs do not count.
bool hasCurve(const Figure& figure, std::string_view word);

/// True if two panels of curves with the same y label show different ranges of y.
bool haveOtherRanges(const Figure& figure);
/// The caption's sentence about such panels.
inline constexpr std::string_view kOtherRanges =
    "Panels of the same measure have axes of their own.";

/// Sentences of a caption that define the measures named in labels of axes and names of
/// curves.
std::vector<std::string> measureSentences(const Figure& figure);

/// Sentences of a caption: what the figure's signs, reference curves, sizes, rows and
/// maps mean.
std::vector<std::string> signSentences(const Figure& figure,
                                       const std::vector<FigureRun>& runs);

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/figure/figure.h"
#include "core/figure/run_figures.h"

namespace equipatch {

/// True if the name of a curve of any panel begins with the word. Names of runs do not
/// count.
bool hasCurve(const Figure& figure, std::string_view word);

/// True if two panels of the same measure show different ranges. signSentences then adds
/// kOtherRanges.
bool haveOtherRanges(const Figure& figure);
inline constexpr std::string_view kOtherRanges =
    "Panels of the same measure have axes of their own.";

/// Sentences of a caption that define the figure's measures. The labels of axes and the
/// names of curves say which measures the figure has.
std::vector<std::string> measureSentences(const Figure& figure);

/// Sentences of a caption: what the figure's signs, reference curves, sizes, rows and
/// maps mean.
std::vector<std::string> signSentences(const Figure& figure,
                                       const std::vector<FigureRun>& runs);

}  // namespace equipatch

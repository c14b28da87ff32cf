// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "core/figure/figure.h"
#include "core/record/step_record.h"

namespace equipatch {

// The content of a chart or of the inspector at one step, in words and numbers.

/// A step's L∞ compared with its margin. The most likely token cannot change while the
/// margin is larger than twice L∞: no logit moves by more than L∞, so the gap between two
/// logits shrinks by at most 2 L∞.
enum class MarginState {
  Exact,          ///< match, and no logit differs at all
  Safe,           ///< match, and L∞ is too small to change the choice
  Lucky,          ///< match, although L∞, or a NaN, could have changed the choice
  Explained,      ///< mismatch that L∞ explains: margin ≤ 2 L∞, or L∞ is NaN
  Contradiction,  ///< mismatch that the difference cannot explain: the record is wrong
};

MarginState marginState(const StepRecord& record);

/// The margin state in a sentence, with the values of L∞ and the margin.
std::string marginSentence(const StepRecord& record);

/// "Off by 0.01 at most; without the patch by 10.4." If the step is a mismatch and the
/// passes' tokens differ, the text also quotes both tokens.
std::string logitSentence(const StepRecord& step);

/// "ΔW is largest in layer 2: gate 3.1; Δm in layer 7: scale 14.4."
/// Empty if no size is finite.
/// @param panel patchNormPanel of one step
std::string patchSizeSentence(const FigurePanel& panel);

/// The largest value of a map: "Δm is largest in layer 5, channel 17: −0.31.", or of one
/// column: "At step 3, ΔW down is largest in layer 5: 0.31."
/// Empty if the searched cells are all NaN, or there are none.
/// @param column the only column to search; absent: all. Out of range: the text is empty
std::string mapSentence(const FigurePanel& panel,
                        const std::optional<int>& column = std::nullopt);

/// "Off by 0.0012 at most, after layer 5; below the noise floor, 0.004." The noise floor
/// is the one of the named layer. Layers whose error is not finite are named first.
/// Empty for a panel without an error or a floor.
/// @param panel layerErrorPanel of one step of one run
std::string hiddenErrorSentence(const FigurePanel& panel);

}  // namespace equipatch

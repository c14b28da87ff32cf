// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "core/figure/figure.h"
#include "core/record/step_record.h"

namespace equipatch {

/// Compares a step's L∞ with its margin. If the margin is larger than 2 L∞, the most
/// likely token cannot change: no logit moves by more than L∞, so the gap between two
/// logits shrinks by at most 2 L∞.
enum class MarginState {
  Exact,          ///< match, and no logit differs
  Safe,           ///< match, and margin > 2 L∞
  Lucky,          ///< match, although margin ≤ 2 L∞, or L∞ is NaN
  Explained,      ///< mismatch, and margin ≤ 2 L∞, or L∞ is NaN
  Contradiction,  ///< mismatch, although margin > 2 L∞: the record is wrong
};

MarginState marginState(const StepRecord& record);

std::string marginSentence(const StepRecord& record);

/// "Off by 0.01 at most; without the patch by 10.4." Quotes both passes' most likely
/// tokens if they differ.
std::string logitSentence(const StepRecord& step);

/// "ΔW is largest in layer 2: gate 3.1; Δm in layer 7: scale 14.4." A second sentence
/// names the layers whose patch is 0. Empty if no size is finite.
/// @param panel patchNormPanel of one step
std::string patchSizeSentence(const FigurePanel& panel);

/// "Δm is largest in layer 5, channel 17: −0.31." Compares absolute values. Empty if
/// there is no number to compare.
/// @param column the only column to search; if it is out of range, the result is empty
std::string mapSentence(const FigurePanel& panel,
                        const std::optional<int>& column = std::nullopt);

/// "Off by 0.0012 at most, after layer 5; below the noise floor, 0.004." The noise floor
/// is that layer's. Layers whose error is not finite are named first. Empty if the panel
/// lacks the curve of the error or of the floor.
/// @param panel layerErrorPanel of one step of one run
std::string hiddenErrorSentence(const FigurePanel& panel);

}  // namespace equipatch

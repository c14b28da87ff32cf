#pragma once

#include <QString>

#include "core/record/step_record.h"

namespace equipatch {

/// What a step's numbers mean. The most likely token cannot change while the margin is
/// larger than twice L∞: no logit moves by more than L∞, so the gap of two closes by at
/// most twice that.
enum class MarginState {
  Exact,          ///< no logit differs at all
  Safe,           ///< match, and L∞ is too small to change the choice
  Lucky,          ///< match, although L∞ could have changed the choice
  Explained,      ///< mismatch that the difference explains: margin ≤ 2 L∞
  Contradiction,  ///< mismatch that the difference cannot explain: the record is wrong
};

MarginState marginState(const StepRecord& record);

/// The same in a sentence, with its numbers.
QString marginText(const StepRecord& record);

}  // namespace equipatch

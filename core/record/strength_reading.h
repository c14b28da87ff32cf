#pragma once

#include "core/patch/patch_options.h"
#include "core/record/step_record.h"

namespace equipatch {

/// What a step's patched pass says with only a part of its patch.
struct StrengthReading {
  PatchStrength strength;
  Choices choices;           ///< of the patched pass, best first
  LogitDistance distance;    ///< contextual pass against it
  double probability = 0.0;  ///< it gives to the contextual pass's most likely token
  bool match = true;         ///< the most likely tokens agree

  bool operator==(const StrengthReading&) const = default;
};

}  // namespace equipatch

#pragma once

#include <string>

#include "core/record/run_record.h"
#include "core/record/shared_patch_record.h"

namespace equipatch {

/// What a checkpoint with patched weights is for, to be laid into its folder as
/// README.md: the run, the token that it must be given, and what it then says.
/// @param header of the run that took the step
std::string patchedNote(const RunHeader& header, const StepRecord& step);

/// The same of weights that serve several tokens.
std::string patchedNote(const RunHeader& header, const SharedPatchRecord& record);

}  // namespace equipatch

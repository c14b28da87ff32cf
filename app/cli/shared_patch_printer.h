#pragma once

#include "app/cli/step_json.h"
#include "core/run/shared_patch_record.h"

namespace equipatch::cli {

/// One patch for several tokens, as a table for people.
void printTable(const SharedPatchRecord& record);

/// A JSON object for each token, and one summary.
void printJson(const SharedPatchRecord& record, LayerDetail detail);

}  // namespace equipatch::cli

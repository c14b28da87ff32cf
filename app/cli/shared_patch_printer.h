#pragma once

#include "core/record/run_record.h"
#include "core/record/shared_patch_record.h"
#include "core/record/export/export_json.h"

namespace equipatch::cli {

/// One patch for several tokens, as a table for people.
void printTable(const RunHeader& header, const SharedPatchRecord& record);

/// A JSON object for each token, and one summary.
void printJson(const SharedPatchRecord& record, LayerDetail detail);

}  // namespace equipatch::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/record/export/export_json.h"
#include "core/record/run_record.h"
#include "core/record/shared_patch_record.h"

namespace equipatch::cli {

/// Prints a table of one patch that is exact for several tokens.
void printSharedPatchTable(const RunHeader& header, const SharedPatchRecord& record);

/// Prints a JSON object for each token and one for the summary, one per line.
void printSharedPatchJson(const SharedPatchRecord& record, LayerDetail detail);

}  // namespace equipatch::cli

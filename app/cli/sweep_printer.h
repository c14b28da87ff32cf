#pragma once

#include <iosfwd>
#include <vector>

#include "core/record/sweep/sweep_table.h"

namespace equipatch::cli {

/// What a sweep's cells gave together, a line a point of its grid.
void printTable(const std::vector<SweepRow>& rows, std::ostream& out);

/// The same, a JSON object a line, with the columns of summary.csv as keys.
void printJson(const std::vector<SweepRow>& rows, std::ostream& out);

}  // namespace equipatch::cli

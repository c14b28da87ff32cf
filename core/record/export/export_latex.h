// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/record/export/export_table.h"

namespace equipatch {

/// A LaTeX table (booktabs) with one row per run. A column that no run measured is left
/// out; a missing value is a dash. TeX comments explain the columns and list each run's
/// settings, with long values shortened.
std::string latexTable(const std::vector<NamedRun>& runs);

/// @throws Error{BadInput} if `path` exists and is no table that this program wrote;
/// Error as OutputFile
void exportLatex(const std::vector<NamedRun>& runs, const std::filesystem::path& path);

inline const OwnFile kLatexTable{"% Table of runs, made by Equipatch",
                                 "a table of Equipatch"};

}  // namespace equipatch

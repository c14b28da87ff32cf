// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/record/export/export_table.h"

namespace equipatch {

/// A LaTeX table (booktabs) with one row per run. Columns: the number of steps with equal
/// tokens; medians or largest values over the steps of the patched pass's L∞ and total
/// variation and of distances of the bare pass, the ablated pass and the audit; the noise
/// floor. A column that no run measured is left out; a missing value is a dash. TeX
/// comments explain the columns and list each run's settings, with long values shortened.
std::string latexTable(const std::vector<NamedRun>& runs);

/// Writes latexTable to a file. @throws Error{BadInput} if `path` exists and is no table
/// that this program wrote; Error as OutputFile
void exportLatex(const std::vector<NamedRun>& runs, const std::filesystem::path& path);

/// How to recognise a table that this program wrote.
inline const OwnFile kLatexTable{"% Table of runs, made by Equipatch",
                                 "a table of Equipatch"};

}  // namespace equipatch

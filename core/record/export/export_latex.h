// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/record/export/export_table.h"

namespace equipatch {

/// A LaTeX table (booktabs) with a row for each run: the steps with equal tokens, L∞ and
/// total variation of the patched pass, and what the runs measured of the bare pass, the
/// ablated pass, the audit and the noise floor: medians and largest values over the
/// steps. A column that no run measured is left out; a cell that a run lacks has a dash.
/// Comments explain the columns and give each run's settings, long values shortened.
std::string latexTable(const std::vector<NamedRun>& runs);

/// Writes latexTable. @throws Error{BadInput} when a file is there that is no earlier
/// table; Error as OutputFile
void exportLatex(const std::vector<NamedRun>& runs, const std::filesystem::path& path);

/// How to recognise an earlier table.
inline const OwnFile kLatexTable{"% Table of runs, made by Equipatch",
                                 "a table of Equipatch"};

}  // namespace equipatch

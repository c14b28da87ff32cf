// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/usage/program_table.h"

namespace equipatch {

/// `equipatch figure …`: draws recorded runs or a result of the lab, without a display,
/// into a file or to standard output.
/// @returns the program's exit code.
int drawFigure(int argc, char** argv);

/// The command `figure` and its options, for the manual page and the completions.
usage::CommandEntry figureEntry();

}  // namespace equipatch

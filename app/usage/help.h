// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace CLI {
class App;
}

namespace equipatch::usage {

/// Makes the help of `program`, and of the commands that are added to it later, look like
/// a manual page: "--steps COUNT", and in words what it takes and goes with.
void formatHelp(CLI::App& program);

/// Refuses an empty name wherever an option or argument of the program's commands takes a
/// file or folder. Call when all commands are added.
void refuseEmptyPaths(CLI::App& program);

}  // namespace equipatch::usage

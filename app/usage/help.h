// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace CLI {
class App;
}

namespace equipatch::usage {

/// Sets the format of the help of `program` and of the commands that are added to it
/// later.
void formatHelp(CLI::App& program);

/// Refuses an empty name wherever an option or argument of the program or its commands
/// takes a file or folder. Call it after all commands are added.
void refuseEmptyPaths(CLI::App& program);

}  // namespace equipatch::usage

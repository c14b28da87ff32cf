// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace equipatch {

/// Checks the files beside a run file that SQLite opens by itself ("-journal", "-wal",
/// "-shm"). If one is a pipe, SQLite would wait for the pipe's other end.
/// @throws Error{BadInput} when one is a folder, pipe or device.
void refuseOddCompanions(const std::filesystem::path& path);

/// The file from which SQLite rolls back an unfinished change of a run file.
std::filesystem::path journalOf(const std::filesystem::path& path);

/// True if the journal names a super-journal, a file that SQLite deletes when it rolls
/// the journal back. The journal of a single database names none.
bool namesAnotherFile(const std::filesystem::path& journal);

}  // namespace equipatch

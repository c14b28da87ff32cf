// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace equipatch {

/// @throws Error{BadInput} when a file that SQLite opens beside the run file ("-journal",
/// "-wal", "-shm") is a folder, pipe or device. SQLite would wait for a pipe's other end.
void refuseOddCompanions(const std::filesystem::path& path);

/// The path of SQLite's rollback journal for a run file.
std::filesystem::path journalOf(const std::filesystem::path& path);

/// True if the journal names a super-journal, a file that SQLite deletes after it has
/// rolled the journal back. A run file's own journal names none.
bool namesAnotherFile(const std::filesystem::path& journal);

}  // namespace equipatch

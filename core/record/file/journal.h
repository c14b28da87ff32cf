// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace equipatch {

/// Checks the files beside a run file that SQLite opens by itself; it would block on a
/// pipe without another end.
/// @throws Error{BadInput} when one is a folder, pipe or device.
void refuseOddCompanions(const std::filesystem::path& path);

/// The file from which SQLite rolls back an unfinished change of a run file.
std::filesystem::path journalOf(const std::filesystem::path& path);

/// A journal may name a super-journal, which SQLite deletes when it rolls back. Journals
/// of a single database never do.
bool namesAnotherFile(const std::filesystem::path& journal);

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <filesystem>

namespace equipatch::test {

/// Changes a database, or makes one, as an untrusted source would: with SQLite itself.
/// @throws std::runtime_error when SQLite refuses.
void tamper(const std::filesystem::path& path, const QString& sql);

/// The first cell of the first row as text, "NULL" for NULL; a null string without rows.
/// @throws std::runtime_error when SQLite refuses.
QString cell(const std::filesystem::path& path, const QString& sql);

}  // namespace equipatch::test

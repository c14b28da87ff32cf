// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <fstream>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/partial_file.h"
#include "core/base/temporary_folder.h"

namespace equipatch {

/// Writes a file under a temporary name and renames it in `finish`. Without `finish`, an
/// existing file of that name stays as it was.
class OutputFile {
 public:
  /// @throws Error as PartialFile
  explicit OutputFile(std::filesystem::path path);
  OutputFile& operator<<(std::string_view text);
  /// @throws Error{Resource} when something could not be written or the file could not be
  /// renamed.
  void finish();

 private:
  void check() const;

  PartialFile m_file;
  std::ofstream m_stream;
};

/// Creates the folder, and those above it, unless they exist. @throws Error{Resource}
/// naming it; Error{BadInput} for an empty name.
void makeFolder(const std::filesystem::path& folder);

/// Creates the folder for a new checkpoint, before the run that fills it.
/// @throws Error{BadInput} when it exists and is not empty, or its name is empty;
/// Error{Resource} when it cannot be made or read.
void makeCheckpointFolder(const std::filesystem::path& folder);

/// True if the word is "-". A file of that name is "./-".
bool meansStandardOutput(std::string_view word);

/// The message for output that cannot be streamed: several files, or one that is written
/// out of order. @param what "a run file, which is a database,"
std::string notToStandardOutput(std::string_view what);

/// The place of the one file that a command writes: the given name, or standard output,
/// which receives only a complete file.
class OutputPlace {
 public:
  /// @throws Error{Resource} when no temporary folder can be made for standard output.
  explicit OutputPlace(const std::string& word);

  bool isStandardOutput() const { return m_folder != nullptr; }
  /// The path to write to: the given name, or a temporary file for standard output.
  const std::filesystem::path& path() const { return m_path; }
  /// Copies the finished temporary file to `standardOutput` and deletes it; without
  /// effect for a named file. Afterwards the place can only be destroyed.
  /// @throws Error{Resource} when it cannot be read or written.
  void copyToStandardOutput(std::ostream& standardOutput);

 private:
  std::unique_ptr<TemporaryFolder> m_folder;  ///< null: the file has a name
  std::filesystem::path m_path;
};

// Checks that no foreign file is overwritten.

/// How to recognise a file that this program wrote and may replace.
struct OwnFile {
  std::string_view marker;  ///< among its first `within` bytes
  std::string_view what;    ///< "a figure's numbers"
  std::size_t within = 64;
};

/// Checks that the path is free or holds a file that this program wrote.
/// @throws Error{BadInput} naming the path otherwise.
void requireOwnOrAbsent(const std::filesystem::path& path, const OwnFile& own);

/// Checks what requireOwnOrAbsent checks, and that the path's folder exists. Meant for
/// use before a long computation.
/// @throws Error as requireOwnOrAbsent; as `unwritable` if the folder does not exist
void requirePlaceFor(const std::filesystem::path& path, const OwnFile& own);

/// Renames an existing file: appends the local time of its last change to its stem, as in
/// "theorem-2026-11-22-073512.json", and "-2", "-3" … if the new name is taken.
/// @returns the new name; empty when there was no file.
/// @throws Error{Resource} when it cannot be renamed.
std::filesystem::path setAside(const std::filesystem::path& path);

}  // namespace equipatch

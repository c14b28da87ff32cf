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

/// Writes a temporary file, which `finish` renames to `path`. Without `finish`, a file at
/// `path` stays unchanged.
class OutputFile {
 public:
  /// @throws Error as PartialFile's constructor
  explicit OutputFile(std::filesystem::path path);
  OutputFile& operator<<(std::string_view text);
  /// @throws Error{Resource} when any write or the renaming failed.
  void finish();

 private:
  void check() const;

  PartialFile m_file;
  std::ofstream m_stream;
};

/// Creates the folder and its missing parents. @throws Error{Resource} if that fails;
/// Error{BadInput} for an empty name.
void makeFolder(const std::filesystem::path& folder);

/// @throws Error{BadInput} when the folder exists and is not empty, or its name is empty;
/// Error{Resource} when the folder cannot be created or read.
void makeCheckpointFolder(const std::filesystem::path& folder);

/// True for "-". A file of this name is given as "./-".
bool meansStandardOutput(std::string_view word);

/// The message that refuses "-" for output that cannot be streamed.
/// @param what the refused output: "a run file, which is a database,"
std::string notToStandardOutput(std::string_view what);

/// Where a command writes its only file: to a named file, or to standard output.
/// Standard output receives only a complete file.
class OutputPlace {
 public:
  /// @param word the file's name, or "-" for standard output
  /// @throws Error{Resource} when no temporary folder can be made for standard output.
  explicit OutputPlace(const std::string& word);

  bool isStandardOutput() const { return m_folder != nullptr; }
  /// The path to write to; for standard output, a temporary file.
  const std::filesystem::path& path() const { return m_path; }
  /// Copies the finished temporary file to `standardOutput` and deletes the file; does
  /// nothing for a named file. Afterwards this object can only be destroyed.
  /// @throws Error{Resource} when the copy fails.
  void copyToStandardOutput(std::ostream& standardOutput);

 private:
  std::unique_ptr<TemporaryFolder> m_folder;  ///< null for a named file
  std::filesystem::path m_path;
};

/// How to recognise a file that this program wrote and may replace.
struct OwnFile {
  std::string_view marker;  ///< occurs in its first `within` bytes
  std::string_view what;    ///< for messages: "a figure's numbers"
  std::size_t within = 64;
};

/// @throws Error{BadInput} unless the path is free or holds a file of this program
void requireOwnOrAbsent(const std::filesystem::path& path, const OwnFile& own);

/// @throws Error as requireOwnOrAbsent; as `unwritable` if the path's folder is missing
void requirePlaceFor(const std::filesystem::path& path, const OwnFile& own);

/// Renames an existing file: the stem gets the local time of the last change, as in
/// "theorem-2026-11-22-073512.json", and "-2", "-3" … if the new name is taken.
/// @returns the new path; empty when there was no file.
/// @throws Error{Resource} when the file cannot be renamed.
std::filesystem::path setAside(const std::filesystem::path& path);

}  // namespace equipatch

#pragma once

#include <filesystem>
#include <fstream>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/temporary_folder.h"

namespace equipatch {

/// A file that is written as a whole: it takes its name only in `finish`, and until then,
/// or when that never comes, what stood under the name before stays.
class OutputFile {
 public:
  /// @throws Error{Resource} naming the path when it cannot be written.
  explicit OutputFile(std::filesystem::path path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  OutputFile& operator<<(std::string_view text);
  /// @throws Error{Resource} when the disk refused something.
  void finish();

 private:
  void check() const;

  std::filesystem::path m_path;
  std::filesystem::path m_partial;
  std::ofstream m_stream;
  bool m_finished = false;
};

/// A folder for files to come; made if need be. @throws Error{Resource} naming it.
void makeFolder(const std::filesystem::path& folder);

/// "-", wherever a file to be written is named. A file of that name is "./-".
bool meansStandardOutput(std::string_view word);

/// The sentence about what is no stream: several files, or one that is written here and
/// there. @param what "a run file, which is a database,"
std::string notToStandardOutput(std::string_view what);

/// Where a command writes its one file: under the name that was given, or to standard
/// output. Standard output gets the file when it is whole; after a failure, nothing.
class OutputPlace {
 public:
  /// @throws Error{Resource} when a file for standard output cannot be kept meanwhile.
  explicit OutputPlace(const std::string& word);

  bool isStandardOutput() const { return m_folder != nullptr; }
  /// What to write.
  const std::filesystem::path& path() const { return m_path; }
  /// Once, when it is written. @throws Error{Resource} when `standardOutput` refuses.
  void deliver(std::ostream& standardOutput);

 private:
  std::unique_ptr<TemporaryFolder> m_folder;  ///< null: the file has a name
  std::filesystem::path m_path;
};

// What stands under the name of a file to be written, and is not to be lost.

/// What a program writes and may therefore replace.
struct OwnFile {
  std::string_view marker;  ///< among its first 64 bytes
  std::string_view what;    ///< "a figure's numbers"
};

/// Before a file is written without asking: nothing stands there, or what the program
/// wrote itself.
/// @throws Error{BadInput} naming the path when something else does.
void requireOwnOrAbsent(const std::filesystem::path& path, const OwnFile& own);

/// Gives what stands there a name with the time it was written,
/// "theorem-2026-11-22-073512.json".
/// @returns that name; empty when nothing stood there.
/// @throws Error{Resource} when it cannot be renamed.
std::filesystem::path setAside(const std::filesystem::path& path);

}  // namespace equipatch

#pragma once

#include <filesystem>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/temporary_folder.h"

namespace equipatch {

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

}  // namespace equipatch

#pragma once

#include <filesystem>
#include <fstream>
#include <string_view>

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

}  // namespace equipatch

#pragma once

#include <filesystem>
#include <vector>

namespace equipatch {

/// The folders models were loaded from, newest first: one list for the command line and
/// the window, a JSON file in the user's data folder that is replaced as a whole.
class UsedFolders {
 public:
  static constexpr std::size_t kMost = 16;

  /// @param file need not exist; an empty path remembers nothing.
  explicit UsedFolders(std::filesystem::path file = defaultFile());
  static std::filesystem::path defaultFile();

  /// Absolute paths. Empty when there is no list or it is damaged: it is a convenience.
  std::vector<std::filesystem::path> all() const;
  /// Puts a folder in front. @returns false when the list cannot be written, which must
  /// not keep anyone from working.
  bool add(const std::filesystem::path& folder) const;
  /// Takes a folder off the list; nothing on disk is touched but the list.
  /// @returns whether it was on it. @throws Error{Resource} when the list cannot be
  /// written.
  bool forget(const std::filesystem::path& folder) const;

 private:
  bool save(const std::vector<std::filesystem::path>& folders) const;

  std::filesystem::path m_file;
};

}  // namespace equipatch

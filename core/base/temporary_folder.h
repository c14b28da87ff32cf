#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace equipatch {

/// A new folder of this user's alone, removed with all that is in it in the end. It lies
/// where the system keeps temporary files, which TMPDIR names, or in a folder of choice.
class TemporaryFolder {
 public:
  /// @throws Error{Resource} when none can be made.
  TemporaryFolder();
  explicit TemporaryFolder(const std::filesystem::path& parent);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return m_path; }

 private:
  std::filesystem::path m_path;
};

/// Where this user may leave a file for a while, in the order of preference: the folder
/// for temporary files, which TMPDIR names; /var/tmp; the user's cache folder.
std::vector<std::filesystem::path> temporaryPlaces();

/// The first of `places` whose files lie on a disk with room for so many bytes. Which
/// places lie in memory differs by system: /tmp does on Debian 13, not on Debian 12.
/// @throws Error{Resource} saying of each place what is wrong with it.
std::filesystem::path folderOnDisk(const std::vector<std::filesystem::path>& places,
                                   std::uintmax_t bytes);

}  // namespace equipatch

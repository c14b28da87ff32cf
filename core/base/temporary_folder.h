#pragma once

#include <filesystem>

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

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTemporaryDir>
#include <filesystem>
#include <fstream>
#include <string>

namespace equipatch::test {

/// A Hugging Face cache: the files of a snapshot are links to blobs.
class FakeHubCache {
 public:
  std::filesystem::path root() const { return m_folder.path().toStdString(); }
  std::filesystem::path repository(const std::string& name) const {
    return root() / ("models--" + name);
  }

  /// @param name "owner--name"
  /// @returns the snapshot's folder
  std::filesystem::path snapshot(const std::string& name,
                                 const std::string& commit) const {
    const auto folder = repository(name) / "snapshots" / commit;
    std::filesystem::create_directories(folder);
    return folder;
  }

  void ref(const std::string& name, const std::string& revision,
           const std::string& commit) const {
    const auto file = repository(name) / "refs" / revision;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << commit;
  }

  /// Copies the files of `model` into blobs and links those into the snapshot.
  void link(const std::filesystem::path& model, const std::string& name,
            const std::string& commit) const {
    const auto folder = snapshot(name, commit);
    const auto blobs = repository(name) / "blobs";
    std::filesystem::create_directories(blobs);
    for (const auto& file : std::filesystem::directory_iterator(model)) {
      const auto blob = "blob-" + commit + file.path().filename().string();
      std::filesystem::copy_file(file.path(), blobs / blob);
      std::filesystem::create_symlink(std::filesystem::path("../../blobs") / blob,
                                      folder / file.path().filename());
    }
  }

 private:
  QTemporaryDir m_folder;
};

}  // namespace equipatch::test

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/descriptor.h"
#include "core/hub/hub_files.h"

namespace equipatch {

/// A repository's folder in a Hugging Face cache, in the layout of huggingface_hub:
///   models--OWNER--NAME/blobs/HASH              the files' contents
///   models--OWNER--NAME/blobs/HASH.incomplete   the part downloaded so far
///   models--OWNER--NAME/snapshots/COMMIT/FILE   links to the blobs
///   models--OWNER--NAME/refs/REVISION           holds the commit
///   .locks/models--OWNER--NAME/HASH.lock        held while a blob is downloaded
class HubCacheRepository {
 public:
  /// @throws Error{BadInput} when `cache` is empty.
  HubCacheRepository(const std::filesystem::path& cache, const std::string& repository);

  std::filesystem::path blob(const HubFile& file) const;
  std::filesystem::path incomplete(const HubFile& file) const;
  std::filesystem::path lock(const HubFile& file) const;
  std::filesystem::path snapshot(const std::string& commit) const;
  /// True if the blob exists with the expected size.
  bool has(const HubFile& file) const;
  /// True also if the commit's snapshot contains the file itself instead of a link, as
  /// after `publish` on a file system without links.
  bool has(const HubFile& file, const std::string& commit) const;

  /// Makes the folders of blobs and locks.
  /// @throws Error{Resource} naming the folder that cannot be made.
  void makeFolders() const;
  /// Links the blobs of all files into the commit's snapshot, config.json last, and
  /// points the revision to the commit. On a file system without links, moves the blobs
  /// into the snapshot. Writes nothing if the model is already published: the cache may
  /// then be read-only.
  /// @throws Error{Resource} naming the path that cannot be written.
  void publish(const HubModel& model) const;

 private:
  enum class BlobUse { Earlier, Last };  ///< Last: no later file has the same blob
  void link(const std::string& commit, const HubFile& file, BlobUse use) const;

  std::filesystem::path m_folder;
  std::filesystem::path m_locks;
};

/// An exclusive flock(2) on a file, which Python's filelock respects. The lock is held
/// until this object is destroyed or assigned to, or the process ends.
class FlockedFile {
 public:
  /// Creates a missing file.
  /// @returns false while another program or FlockedFile holds the lock; true also if
  /// the file system has no locks
  /// @throws Error{Resource} when the file cannot be opened or created.
  bool tryLock(const std::filesystem::path& path);

 private:
  Descriptor m_file;
};

/// A plan that removes a snapshot, the refs that point to the snapshot, and the blobs
/// that no other snapshot of the repository uses; with the last snapshot, the repository
/// and its locks. If another snapshot cannot be read, all blobs stay. If a path is a
/// link, the link is removed and its target stays.
struct SnapshotRemoval {
  std::vector<std::filesystem::path> paths;
  std::uint64_t bytes = 0;    ///< freed by `execute`
  bool leavesOthers = false;  ///< the repository has other snapshots

  /// @throws Error{BadInput} when the folder is not a snapshot in a cache.
  static SnapshotRemoval plan(const std::filesystem::path& snapshot);
  /// @throws Error{Resource} naming the path that cannot be removed.
  void execute() const;
};

}  // namespace equipatch

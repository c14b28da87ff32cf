// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/descriptor.h"
#include "core/hub/hub_files.h"

namespace equipatch {

/// A repository's folder in a Hugging Face cache, laid out as huggingface_hub does, so
/// that both use each other's files:
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
  /// True if the blob is there with its size.
  bool has(const HubFile& file) const;
  /// The same, or the commit's snapshot has the file itself, as `publish` leaves it where
  /// the file system has no links.
  bool has(const HubFile& file, const std::string& commit) const;

  /// Makes the folders of blobs and locks. @throws Error{Resource} naming the one that
  /// cannot be made.
  void makeFolders() const;
  /// Links the blobs of all files into the commit's snapshot, config.json last, and
  /// points the revision to the commit. Where the file system has no links, moves the
  /// blobs, and copies those that several files of the model share. A file that the
  /// snapshot has itself stays if its blob is not there. What is published already is not
  /// written again, so that the cache may then be read-only.
  /// @throws Error{Resource} naming what cannot be written.
  void publish(const HubModel& model) const;

 private:
  enum class BlobUse { Earlier, Last };  ///< Last: no later file has the same blob
  void link(const std::string& commit, const HubFile& file, BlobUse use) const;

  std::filesystem::path m_folder;
  std::filesystem::path m_locks;
};

/// A lock on a file as Python's filelock takes it (flock); the file is created if it is
/// missing. The lock is held until this object is destroyed or assigned to, or the
/// process ends, also by a crash.
class FlockedFile {
 public:
  /// @returns false while another program or FlockedFile holds the lock; true also where
  /// the file system has no locks
  /// @throws Error{Resource} when the file cannot be opened or made.
  bool tryLock(const std::filesystem::path& path);

 private:
  Descriptor m_file;
};

/// Everything that is removed with a snapshot of a cache: the snapshot, the refs that
/// point to it, and the blobs that no other snapshot of the repository uses; with the
/// last snapshot the whole repository and its locks. A snapshot that cannot be read may
/// use any blob. A link, such as a repository's to another disk, is removed, but not what
/// it leads to.
struct SnapshotRemoval {
  std::vector<std::filesystem::path> paths;
  std::uint64_t bytes = 0;    ///< number of bytes that become free
  bool leavesOthers = false;  ///< the repository has other snapshots

  /// @throws Error{BadInput} when the folder is not a snapshot in a cache.
  static SnapshotRemoval plan(const std::filesystem::path& snapshot);
  /// @throws Error{Resource} naming what cannot be removed.
  void execute() const;
};

}  // namespace equipatch

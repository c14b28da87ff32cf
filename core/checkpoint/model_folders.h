// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace equipatch {

/// A snapshot of a model in a Hugging Face cache.
struct CachedRevision {
  std::string repository;              ///< "google/gemma-3-1b-it", "gpt2"
  std::string commit;                  ///< also the snapshot folder's name
  std::vector<std::string> revisions;  ///< branches, tags, other refs; sorted
  std::filesystem::path folder;

  std::string shortCommit() const { return commit.substr(0, 8); }
  std::string shownRevision() const {
    return revisions.empty() ? shortCommit() : revisions.front();
  }
};

/// Snapshots in a cache folder, which huggingface_hub lays out as
///   models--OWNER--NAME/refs/REVISION      holds a commit
///   models--OWNER--NAME/snapshots/COMMIT/  holds the files
/// Sorted by folder; within a repository, the snapshot of "main" comes first. Does not
/// read the models' files. Skips everything that has another layout or cannot be read. A
/// missing cache gives none.
std::vector<CachedRevision> readHubCache(const std::filesystem::path& cache);

/// "owner/name" (or "gpt2", without an owner), derived from the path of a snapshot's
/// folder; empty for other folders.
std::string repositoryOfSnapshot(const std::filesystem::path& folder);

/// The commit in a file below "refs"; empty when the file has none or cannot be read.
std::string commitOfRef(const std::filesystem::path& file);

/// Where huggingface_hub keeps caches and the token: HF_HOME, else
/// XDG_CACHE_HOME/huggingface, else ~/.cache/huggingface; empty when none is known.
std::filesystem::path hubHome();

/// This user's Hugging Face caches. The first is the cache of huggingface_hub:
/// HF_HUB_CACHE, else HUGGINGFACE_HUB_CACHE, else hubHome()/hub. The second is
/// TRANSFORMERS_CACHE, which older programs use. Empty and repeated paths are left out.
std::vector<std::filesystem::path> hubCacheFolders();

/// The existing model folders of LM Studio (default, or below the folder that its pointer
/// file names) and text-generation-webui (default).
std::vector<std::filesystem::path> otherProgramsFolders();

/// True if the extension is ".gguf", in upper or lower case: llama.cpp's format.
bool isGgufName(const std::filesystem::path& path);

/// The list of folders from which models were loaded, latest first, in a JSON file.
/// Several threads and programs may change the list at once.
class UsedFolders {
 public:
  static constexpr std::size_t kMost = 16;

  /// @param file may be missing; an empty path disables the list.
  explicit UsedFolders(std::filesystem::path file = defaultFile());
  static std::filesystem::path defaultFile();

  /// Absolute paths; empty when the list is disabled or the file is missing, damaged or
  /// cannot be read.
  std::vector<std::filesystem::path> all() const;
  /// Puts a folder at the front of the list, or moves it there, and drops folders beyond
  /// `kMost`. Replaces a damaged list.
  /// @returns false when the list is disabled or cannot be read or written, or the path
  /// is not UTF-8.
  bool add(const std::filesystem::path& folder) const;
  /// Removes a folder from the list, not from the disk.
  /// @returns whether the folder was listed
  /// @throws Error{Resource} when the list cannot be read or written.
  bool forget(const std::filesystem::path& folder) const;

 private:
  /// nullopt when the file exists but cannot be read; an empty list when it is missing or
  /// damaged.
  std::optional<std::vector<std::filesystem::path>> read() const;
  bool save(const std::vector<std::filesystem::path>& folders) const;

  std::filesystem::path m_file;
};

}  // namespace equipatch

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
  std::vector<std::string> revisions;  ///< branches and tags that point to it, sorted
  std::filesystem::path folder;        ///< its files are links to blobs

  std::string shortCommit() const { return commit.substr(0, 8); }
  /// The first branch or tag, or the short commit where there is none.
  std::string shownRevision() const {
    return revisions.empty() ? shortCommit() : revisions.front();
  }
};

/// Snapshots in a cache folder, which huggingface_hub lays out as
///   models--OWNER--NAME/refs/REVISION      holds a commit
///   models--OWNER--NAME/snapshots/COMMIT/  holds the files
/// Sorted by folder; within a repository, the snapshot of "main" comes first. Reads names
/// and refs only. Skips anything else, such as broken or circular links, files in place
/// of folders and unreadable folders. A missing cache gives none.
std::vector<CachedRevision> readHubCache(const std::filesystem::path& cache);

/// "owner/name" of a snapshot folder …/models--owner--name/snapshots/COMMIT, "gpt2" of
/// …/models--gpt2/snapshots/COMMIT; empty for other folders.
std::string repositoryOfSnapshot(const std::filesystem::path& folder);

/// The commit that a file below "refs" holds; empty when it holds none or cannot be read.
std::string commitOfRef(const std::filesystem::path& file);

/// Where huggingface_hub keeps caches and the token: HF_HOME, XDG_CACHE_HOME/huggingface
/// or ~/.cache/huggingface; empty when neither variable is set and the home folder is
/// unknown.
std::filesystem::path hubHome();

/// This user's Hugging Face caches. First the one that huggingface_hub uses:
/// HF_HUB_CACHE, else HUGGINGFACE_HUB_CACHE, HF_HOME/hub, XDG_CACHE_HOME/huggingface/hub
/// or ~/.cache/huggingface/hub. Then TRANSFORMERS_CACHE, which older programs use.
std::vector<std::filesystem::path> hubCacheFolders();

/// Default folders of other programs for this user's models, as far as they exist:
/// - LM Studio: ~/.lmstudio/models, or models in the folder that ~/.lmstudio-home-pointer
///   names; older versions: ~/.cache/lm-studio/models;
/// - text-generation-webui: user_data/models and models in ~/text-generation-webui.
std::vector<std::filesystem::path> otherProgramsFolders();

/// True if a file's name ends in ".gguf", in upper or lower case: the format of
/// llama.cpp, which is not read.
bool isGgufName(const std::filesystem::path& path);

/// Folders that models were loaded from, latest first. Command line and window share the
/// list, a JSON file in the user's data folder; several programs may change it at once.
class UsedFolders {
 public:
  static constexpr std::size_t kMost = 16;

  /// @param file may be missing; an empty path disables the list.
  explicit UsedFolders(std::filesystem::path file = defaultFile());
  static std::filesystem::path defaultFile();

  /// Absolute paths; empty when the file is missing, damaged or cannot be read.
  std::vector<std::filesystem::path> all() const;
  /// Puts a folder at the front of the list, or moves it there, and drops folders beyond
  /// `kMost`. Replaces a damaged list.
  /// @returns false when the list is disabled or cannot be read or written, or the path
  /// is not UTF-8; callers continue without the list.
  bool add(const std::filesystem::path& folder) const;
  /// Removes a folder from the list, not from the disk.
  /// @returns whether it was listed
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

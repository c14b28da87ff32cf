// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace equipatch {

/// A snapshot of a model in a Hugging Face cache.
struct CachedRevision {
  std::string repository;              ///< "google/gemma-3-1b-it", "gpt2"
  std::string commit;                  ///< also the snapshot folder's name
  std::vector<std::string> revisions;  ///< branches and tags that point to it, sorted
  std::filesystem::path folder;        ///< its files are links to blobs
};

/// Snapshots in a cache folder, which huggingface_hub lays out as
///   models--OWNER--NAME/refs/REVISION      holds a commit
///   models--OWNER--NAME/snapshots/COMMIT/  holds the files
/// Sorted by name; within a repository, the snapshot of "main" comes first. Reads names
/// and refs only. Skips anything else, such as broken or circular links, files in place
/// of folders and unreadable folders. A missing cache is empty.
std::vector<CachedRevision> readHubCache(const std::filesystem::path& cache);

/// "owner/name" of a snapshot folder …/models--owner--name/snapshots/COMMIT; empty for
/// other folders.
std::string repositoryOfSnapshot(const std::filesystem::path& folder);

/// This user's Hugging Face caches, the one that huggingface_hub uses first:
/// HF_HUB_CACHE, HUGGINGFACE_HUB_CACHE, HF_HOME/hub, XDG_CACHE_HOME/huggingface/hub or
/// ~/.cache/huggingface/hub; then TRANSFORMERS_CACHE of older programs.
std::vector<std::filesystem::path> hubCacheFolders();

}  // namespace equipatch

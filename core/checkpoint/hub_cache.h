#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace equipatch {

/// One revision of a model in a Hugging Face cache.
struct CachedRevision {
  std::string repository;              ///< "google/gemma-3-1b-it", "gpt2"
  std::string commit;                  ///< the snapshot's name
  std::vector<std::string> revisions;  ///< branches and tags that mean it, sorted
  std::filesystem::path folder;        ///< the snapshot: links into the blobs
};

/// Models in one cache folder as huggingface_hub lays it out:
///   models--OWNER--NAME/refs/REVISION      holds a commit
///   models--OWNER--NAME/snapshots/COMMIT/  holds the files
/// sorted by name; of one repository, what "main" means comes first. Reads names and refs
/// only. What is no such thing (links that lead nowhere or in circles, files in a
/// folder's place, unreadable folders) is passed over; a cache that is not there is
/// empty.
std::vector<CachedRevision> readHubCache(const std::filesystem::path& cache);

/// "owner/name" of a snapshot's folder …/models--owner--name/snapshots/COMMIT; empty for
/// any other.
std::string repositoryOfSnapshot(const std::filesystem::path& folder);

/// Where huggingface_hub keeps its caches for this user, the one it would use first:
/// HF_HUB_CACHE, HUGGINGFACE_HUB_CACHE, HF_HOME/hub, XDG_CACHE_HOME/huggingface/hub or
/// ~/.cache/huggingface/hub, and besides TRANSFORMERS_CACHE of older programs.
std::vector<std::filesystem::path> hubCacheFolders();

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/hub/hub_files.h"
#include "core/work/job.h"

namespace equipatch {

struct CachedSnapshot {
  /// "owner/name@main"; if no branch or tag points to the snapshot's commit, "@" is
  /// followed by the commit's first eight digits.
  std::string name;
  std::filesystem::path folder;
  std::uint64_t bytes = 0;  ///< freed by deleting the snapshot
};

struct HubOffer {
  HubModel model;
  std::uint64_t missing = 0;  ///< bytes that the cache lacks
};

/// Receives results on the worker's thread; may only store or forward them.
class HubSink {
 public:
  virtual ~HubSink() = default;
  virtual void modelOffered(std::shared_ptr<const HubOffer>) {}
  virtual void modelArrived(std::shared_ptr<const HubModel>) {}
  virtual void cacheRead(std::shared_ptr<const std::vector<CachedSnapshot>>) {}
};

// The jobs call HubSettings::ofThisUser when they run.

/// Asks the hub for a model's files; reports them by `modelOffered`.
/// @param word, revision as for HubName::parse
std::unique_ptr<Job> makeHubOfferJob(const std::string& word, const std::string& revision,
                                     std::shared_ptr<HubSink> sink);
/// Reports the downloaded model by `modelArrived`.
std::unique_ptr<Job> makeHubDownloadJob(std::shared_ptr<const HubOffer> offer,
                                        std::shared_ptr<HubSink> sink);
/// Deletes the snapshot in the folder `deleted`, unless the path is empty; then reports
/// the cache's content by `cacheRead`.
std::unique_ptr<Job> makeHubCacheJob(const std::filesystem::path& deleted,
                                     std::shared_ptr<HubSink> sink);

}  // namespace equipatch

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/hub/hub_files.h"
#include "core/work/job.h"

namespace equipatch {

/// A model in the cache.
struct CachedSnapshot {
  /// "owner/name@main"; after the "@" eight digits of the commit if no branch or tag
  /// points to it.
  std::string name;
  std::filesystem::path folder;
  std::uint64_t bytes = 0;  ///< number of bytes that deleting it frees
};

/// A model on the hub, and how much of it the cache lacks.
struct HubOffer {
  HubModel model;
  std::uint64_t missing = 0;  ///< bytes that a download would fetch
};

/// Receives results on the worker's thread; may only store or forward them.
class HubSink {
 public:
  virtual ~HubSink() = default;
  virtual void modelOffered(std::shared_ptr<const HubOffer>) {}
  virtual void modelArrived(std::shared_ptr<const HubModel>) {}
  virtual void cacheRead(std::shared_ptr<const std::vector<CachedSnapshot>>) {}
};

// The jobs read this user's settings (HubSettings) when they run.

/// Reads which files a model has on the hub; reports them by `modelOffered`.
/// @param word, revision as HubName::parse takes them
std::unique_ptr<Job> makeHubOfferJob(const std::string& word, const std::string& revision,
                                     std::shared_ptr<HubSink> sink);
/// Downloads an offered model; reports it by `modelArrived`.
std::unique_ptr<Job> makeHubDownloadJob(std::shared_ptr<const HubOffer> offer,
                                        std::shared_ptr<HubSink> sink);
/// Deletes a snapshot, unless the path is empty, then reads the cache; reports its
/// content by `cacheRead`.
std::unique_ptr<Job> makeHubCacheJob(const std::filesystem::path& deleted,
                                     std::shared_ptr<HubSink> sink);

}  // namespace equipatch

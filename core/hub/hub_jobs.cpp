// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hub/hub_jobs.h"

#include <functional>
#include <utility>

#include "core/checkpoint/model_folders.h"
#include "core/hub/hub_cache.h"
#include "core/hub/model_download.h"
#include "core/work/control.h"

namespace equipatch {
namespace {

class HubJob final : public Job {
 public:
  using Work = std::function<void(const HubSettings&, Control&)>;
  HubJob(std::string name, Work work)
      : m_name(std::move(name)), m_work(std::move(work)) {}

  std::string name() const override { return m_name; }
  void run(Control& control) override { m_work(HubSettings::ofThisUser(), control); }

 private:
  std::string m_name;
  Work m_work;
};

}  // namespace

std::unique_ptr<Job> makeHubOfferJob(const std::string& word, const std::string& revision,
                                     std::shared_ptr<HubSink> sink) {
  return std::make_unique<HubJob>(
      "List the files of " + word, [=](const HubSettings& settings, Control& control) {
        HubOffer offer;
        offer.model = readHubModel(settings, HubName::parse(word, revision), control);
        offer.missing = missingBytes(offer.model, settings.cache);
        sink->modelOffered(std::make_shared<const HubOffer>(std::move(offer)));
      });
}

std::unique_ptr<Job> makeHubDownloadJob(std::shared_ptr<const HubOffer> offer,
                                        std::shared_ptr<HubSink> sink) {
  const std::string name = "Download " + offer->model.name.repository;
  return std::make_unique<HubJob>(
      name, [=](const HubSettings& settings, Control& control) {
        downloadModel(settings, offer->model, control);
        sink->modelArrived(std::make_shared<const HubModel>(offer->model));
      });
}

std::unique_ptr<Job> makeHubCacheJob(const std::filesystem::path& deleted,
                                     std::shared_ptr<HubSink> sink) {
  return std::make_unique<HubJob>("Look into the cache", [=](const HubSettings& settings,
                                                             Control& control) {
    if (!deleted.empty()) SnapshotRemoval::plan(deleted).execute();
    std::vector<CachedSnapshot> found;
    for (const CachedRevision& revision : readHubCache(settings.cache)) {
      control.throwIfStopped();
      found.push_back({revision.repository + "@" + revision.shownRevision(),
                       revision.folder, SnapshotRemoval::plan(revision.folder).bytes});
    }
    sink->cacheRead(
        std::make_shared<const std::vector<CachedSnapshot>>(std::move(found)));
  });
}

}  // namespace equipatch
